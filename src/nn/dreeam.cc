#include "nn/dreeam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "distributed/batch_share.h"
#include "mlpac/error.h"
#include "nn/cosine.h"
#include "nn/grouped_bilinear.h"

namespace mlpac {

namespace {

using torch::nn::Linear;

constexpr double kTiny = 1e-30;

/// Rows of a table by number; unlike index_select its gradient is the same in every run on a GPU.
at::Tensor rows_of(const at::Tensor& table, const at::Tensor& numbers) { return at::embedding(table, numbers); }

/// h_e: logsumexp over the mentions of every entity, [documents x entities x hidden]; 0 for one without mentions.
at::Tensor pooled_entities(const at::Tensor& hidden, const at::Tensor& positions) {
  const auto present = (positions >= 0).unsqueeze(3);
  const auto first = at::arange(hidden.size(0), positions.options()).view({-1, 1, 1}) * hidden.size(1);
  const auto mentions = rows_of(hidden.flatten(0, 1), positions.clamp_min(0) + first);
  // One slot always counts, so that an entity without mentions is log(exp(0)) = 0 instead of log(0).
  auto unused = present.logical_not();
  unused.select(2, 0).fill_(false);
  const auto values = (mentions * present).masked_fill(unused, -std::numeric_limits<double>::infinity());
  return values.to(at::promote_types(values.scalar_type(), at::kFloat)).logsumexp(2);
}

/// Shares of the mentions of every entity at every token, [documents x entities x length].
at::Tensor mention_shares(const at::Tensor& positions, std::int64_t length, const at::Tensor& like) {
  const auto present = (positions >= 0).to(like.scalar_type());
  const auto counts = at::zeros({positions.size(0), positions.size(1), length}, like.options().requires_grad(false))
                          .scatter_add_(2, positions.clamp_min(0), present);
  return counts / present.sum(2, true).clamp_min(1);
}

/// a_st for all ordered pairs of entities, [documents x entities x entities x length].
at::Tensor pair_attention(const at::Tensor& attention, const at::Tensor& positions, double eps) {
  const auto shares = mention_shares(positions, attention.size(2), attention);
  // Means over mentions as matrix products: A_e = mean_j A[:, j, :], [documents x length x entities x heads].
  const auto by_entity = at::matmul(shares.unsqueeze(1), attention).permute({0, 3, 2, 1});
  const auto heads = static_cast<double>(attention.size(1));
  const auto q = (at::matmul(by_entity, by_entity.transpose(2, 3)).to(at::kFloat) / heads).permute({0, 2, 3, 1});
  return q / (q.sum(-1, true) + eps);
}

/// Which tokens are of which sentence, as 0 and 1 [documents x length x sentences].
at::Tensor sentence_tokens(const at::Tensor& sentences, std::int64_t length, const at::Tensor& like) {
  const auto token = at::arange(length, sentences.options()).view({1, -1, 1});
  const auto from = sentences.select(2, 0).unsqueeze(1);
  const auto to = sentences.select(2, 1).unsqueeze(1);
  return ((token >= from) & (token < to)).to(like.scalar_type());
}

}  // namespace

at::Tensor evidence_loss(const at::Tensor& importance, const at::Tensor& counts, const at::Tensor& labels) {
  const auto replaced = [](const at::Tensor& values) { return values.masked_fill(values == 0, kTiny); };
  const auto target = replaced(counts / (counts.sum(1, true) + kTiny));
  const auto divergence = (target * (target.log() - replaced(importance.to(at::kFloat)).log())).sum(1);
  const auto related = (labels > 0).any(1).to(divergence.scalar_type());
  return over_batch((divergence * related).sum()) / over_batch(related.sum()).clamp_min(1);
}

Dreeam::Dreeam(const nlohmann::json& architecture)
    : encoder_(register_module(
          "model", std::make_shared<Encoder>(read_encoder_config(architecture.at("encoder"), "the encoder's config")))),
      graphed_(*encoder_),
      block_(architecture.value("block", std::int64_t{64})),
      last_(architecture.value("layers", std::int64_t{3})),
      context_eps_(architecture.value("context_eps", kTiny)),
      window_ends_(architecture.value("window_ends", std::int64_t{1})),
      evidence_weight_(architecture.value("evidence_weight", 0.0)),
      scale_(architecture.value("scale", 10.0)) {
  const auto width = architecture.value("width", std::int64_t{768});
  const auto outputs = architecture.at("outputs").get<std::int64_t>();
  if (block_ < 1 || width % block_ != 0) {
    throw UsageError(fmt::format("vectors of pairs {} wide cannot be cut into groups of {}", width, block_));
  }
  const auto hidden = encoder_->config().hidden;
  const bool metric = architecture.value("head", std::string("bilinear")) == "metric";
  head_extractor_ = register_module("head_extractor", Linear(2 * hidden, width));
  tail_extractor_ = register_module("tail_extractor", Linear(2 * hidden, width));
  bilinear_ = register_module("bilinear", Linear(width * block_, metric ? width : outputs));
  if (!metric) return;
  classes_ = register_module("r_emb", torch::nn::Embedding(outputs + 1, hidden));
  class_linear_ = register_module("re_linear", Linear(hidden, width));
}

bool Dreeam::borrow_body(Network& owner) {
  auto* const lender = dynamic_cast<Dreeam*>(&owner);
  if (lender == nullptr) return false;
  graphed_.reset();
  encoder_ = replace_module("model", lender->encoder_);
  return true;
}

Encoded Dreeam::encode(const DocumentInput& input, const Batch& batch) {
  std::optional<KeyedDropout> dropout;
  if (is_training()) dropout.emplace(dropout_key(batch, stream), input.ids.device());
  const auto pass = [&](const std::vector<at::Tensor>& inputs) {
    const auto encoded = encoder_->forward(inputs[0], inputs[1], last_, {}, dropout ? &*dropout : nullptr);
    return std::vector<at::Tensor>{encoded.hidden, encoded.attention};
  };
  const at::AutoGradMode learns(at::GradMode::is_enabled() && graphed_);
  const auto outputs = graphed_ ? (*graphed_)({input.ids, input.mask}, pass) : pass({input.ids, input.mask});
  const Encoded windows{outputs[0], outputs[1]};
  WindowPlan plan;
  const auto* const lengths = input.lengths.data_ptr<std::int64_t>();
  plan.lengths.assign(lengths, lengths + input.documents());
  plan.width = input.ids.size(1);
  for (const std::int64_t length : plan.lengths) plan.width = std::max(plan.width, length);
  plan.longest = encoder_->longest();
  plan.ends = window_ends_;
  return merge_windows(windows, plan);
}

Dreeam::Pairs Dreeam::represent(const Encoded& encoded, const DocumentInput& input, bool explain) const {
  const auto& hidden = encoded.hidden;
  const auto entities = input.entities();
  const auto attention = pair_attention(encoded.attention, input.positions, context_eps_).flatten(1, 2);
  const auto context = at::matmul(attention.to(hidden.scalar_type()), hidden);  // c_st = a_st H
  const auto pooled = pooled_entities(hidden, input.positions).flatten(0, 1);
  const auto first = input.pairs.select(1, 0) * entities;
  const auto head = first + input.pairs.select(1, 1);
  const auto pair = head * entities + input.pairs.select(1, 2);
  Pairs result;
  result.head = rows_of(pooled, head);
  result.tail = rows_of(pooled, first + input.pairs.select(1, 2));
  // A pair occurs once: its gradient comes from one row, in every run the same.
  result.context = context.flatten(0, 1).index_select(0, pair);
  if (!explain) return result;
  result.attention = attention.flatten(0, 1).index_select(0, pair);
  const auto tokens = sentence_tokens(input.sentences, hidden.size(1), attention);
  result.importance = at::matmul(attention, tokens).flatten(0, 1).index_select(0, pair);
  return result;
}

Dreeam::Output Dreeam::run(const Batch& batch, bool explain) {
  const auto input = documents_of(batch);
  const auto pairs = represent(encode(input, batch), input, explain);
  const auto vector = [&](Linear& layer, const at::Tensor& entity) {
    return layer->forward(at::cat({entity, pairs.context.to(entity.scalar_type())}, 1)).tanh();
  };
  const auto scores = grouped_bilinear(vector(head_extractor_, pairs.head), vector(tail_extractor_, pairs.tail),
                                       bilinear_->weight, block_);
  Output output{scores.to(at::kFloat) + bilinear_->bias, {}, pairs.attention, pairs.importance};
  if (metric()) {
    output.cosines = mlpac::cosines(output.logits, class_embeddings().to(at::kFloat));
    output.logits = cosine_log_odds(output.cosines, scale_);
  }
  return output;
}

at::Tensor Dreeam::forward(const Batch& batch) { return run(batch, false).logits; }

Supervision Dreeam::supervise(const Batch& batch) {
  const auto evidence = documents_of(batch).evidence;
  if (evidence_weight_ == 0 || !evidence.defined()) return {forward(batch)};
  const auto output = run(batch);
  return {output.logits, [weight = evidence_weight_, importance = output.importance, evidence](const at::Tensor& y) {
            return weight * evidence_loss(importance, evidence, y);
          }};
}

at::Tensor Dreeam::class_embeddings() const {
  auto linear = class_linear_;  // forward is not const
  return linear->forward(classes_->weight);
}

at::Tensor Dreeam::none_log_odds() const {
  if (!metric()) return {};
  const auto classes = class_embeddings().to(at::kFloat);
  return cosine_log_odds(mlpac::cosines(classes.slice(0, 0, 1), classes), scale_);
}

void Dreeam::initialise(std::uint64_t seed) {
  encoder_->initialise(seed, "model");
  // New layers as PyTorch initialises them: uniform by the number of inputs, embeddings normal.
  for (const auto& item : named_parameters()) {
    if (item.key().starts_with(body())) continue;
    const auto key = stream_key(seed, "init." + item.key());
    auto value = item.value();
    if (item.key() == "r_emb.weight") {
      fill_normal(value, key, 1);
      continue;
    }
    const auto weight = named_parameters()[item.key().substr(0, item.key().rfind('.')) + ".weight"];
    fill_uniform(value, key, 1 / std::sqrt(static_cast<double>(weight.size(1))));
  }
}

std::shared_ptr<Network> create_dreeam(const nlohmann::json& architecture) {
  return std::make_shared<Dreeam>(architecture);
}

}  // namespace mlpac
