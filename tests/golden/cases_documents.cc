// Document models on real documents: attention, logits, losses and gradients.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "../core/golden_files.h"
#include "document_models.h"
#include "fill.h"
#include "golden_case.h"
#include "losses/bce.h"
#include "losses/p3m.h"
#include "losses/ssr_pu.h"
#include "nn/dreeam.h"
#include "tasks/document_rows.h"

namespace mlpac::golden {

namespace {

using nlohmann::json;

/// The tiny encoders of the reference data.
json tiny_config(bool roberta) {
  return {{"model_type", roberta ? "roberta" : "bert"},
          {"hidden_size", 64},
          {"num_hidden_layers", 4},
          {"num_attention_heads", 4},
          {"intermediate_size", 128},
          {"vocab_size", roberta ? 50265 : 28996},
          {"max_position_embeddings", roberta ? 514 : 512},
          {"type_vocab_size", roberta ? 1 : 2},
          {"layer_norm_eps", roberta ? 1e-5 : 1e-12}};
}

void fill_network(Network& network, const json& table, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  auto own = named_tensors(network);
  for (const auto& row : table) {
    const std::string name = row.at("name");
    const auto found = own.find(name);
    if (found == own.end()) continue;  // the pooler, which nothing uses; another head
    const auto shape = row.at("shape").get<std::vector<std::int64_t>>();
    if (found->second.sizes().vec() != shape) continue;
    found->second.copy_(fill(name, shape, seed, row.at("kind"), row.at("scale").get<float>()));
  }
  if (auto bias = own.at("bilinear.bias"); bias.size(0) == 97) {
    bias.slice(0, 0, 4) += torch::tensor({1.25, 1.0, 0.75, 0.5});
  }
}

}  // namespace

const Relations& document_relations() {
  static const Relations kRelations = read_relations(unpacked("redocred") / "rel2id.json");
  return kRelations;
}

const std::vector<Document>& dev_documents() {
  static const auto kDocuments = read_documents(unpacked("redocred") / "dev_revised.json", document_relations());
  return kDocuments;
}

std::unique_ptr<Dreeam> tiny_dreeam(const GoldenCase& test, nlohmann::json architecture, bool roberta,
                                    const std::vector<std::string>& tables, std::uint64_t seed) {
  architecture["encoder"] = tiny_config(roberta);
  auto network = std::make_unique<Dreeam>(architecture);
  for (const auto& table : tables) fill_network(*network, test.folder().json(table), seed);
  network->eval();
  network->to(test.device());
  return network;
}

namespace {

struct Prepared {
  std::unique_ptr<Dreeam> network;
  Batch batch;
  std::int64_t documents_length = 0;  ///< tokens of the longest document
};

Prepared prepare(const GoldenCase& test, json architecture, const std::vector<std::string>& tables) {
  const auto& params = test.params();
  const bool roberta = params.at("encoder") == "roberta";
  const auto tokeniser = read_tokeniser(unpacked("tokenizers") / (roberta ? "roberta" : "bert-base-cased"));
  std::vector<Document> documents;
  for (const auto& index : params.at("documents")) documents.push_back(dev_documents().at(index.get<std::size_t>()));
  const auto pairs = pair_lists(documents);
  architecture["width"] = params.at("emb_size");
  architecture["block"] = params.at("block_size");
  architecture["window_ends"] = tokeniser->separators();
  Prepared result;
  result.network = tiny_dreeam(test, architecture, roberta, tables, params.at("seed").get<std::uint64_t>());
  const DocumentRows rows(encode_documents(documents, *tokeniser, 1), pairs,
                          window_tokens(*tokeniser, result.network->encoder().longest()), documents);
  rows.collate(all_items(rows), test.device(), result.batch);
  result.batch.y = dense_labels(pair_labels(documents, pairs, document_relations()), result.batch.rows, test.device());
  for (const auto cost : rows.costs()) result.documents_length = std::max(result.documents_length, cost);
  return result;
}

/// Lengths of all gradients as the case lists them.
void require_gradients(GoldenCase& test, const Network& network) {
  std::size_t compared = 0;
  for (const auto& item : network.named_parameters()) {
    const auto expected = test.params().at("grad_l2").at(item.key()).get<double>();
    const double actual = item.value().grad().norm().item<double>();
    test.require(std::abs(actual - expected) <= 1e-5 + 2e-3 * expected,
                 fmt::format("gradient of {}: {} instead of {}", item.key(), actual, expected));
    ++compared;
  }
  test.require(compared == test.params().at("grad_l2").size(), "every gradient of the case is compared");
}

struct Results {
  Prepared prepared;
  Dreeam::Output output;
  at::Tensor rel_loss, evi_loss;
};

/// A case is looked at once for each of its outputs, but computed once.
const Results& dreeam_results(const GoldenCase& test) {
  static std::map<std::string, Results> done;
  const auto key = test.id() + '@' + test.device().str();
  if (const auto it = done.find(key); it != done.end()) return it->second;
  Results results{prepare(test, {{"outputs", 97}}, {test.params().at("parameter_table")}), {}, {}, {}};
  auto& [prepared, output, rel_loss, evi_loss] = results;
  output = prepared.network->run(prepared.batch);
  LossInput input;
  input.z = Decision{.threshold_class = true}.log_odds(output.logits);
  input.y = prepared.batch.y;
  rel_loss = bce(input, {.form = LossForm::adaptive_threshold});
  evi_loss = evidence_loss(output.importance, documents_of(prepared.batch).evidence, prepared.batch.y);
  (rel_loss + test.params().at("lambda_evidence").get<double>() * evi_loss).backward();
  return done.emplace(key, std::move(results)).first->second;
}

}  // namespace

bool documents_at_hand() { return !unpacked("redocred").empty() && !unpacked("tokenizers").empty(); }

void dreeam(GoldenCase& test) {
  const auto& [prepared, output, rel_loss, evi_loss] = dreeam_results(test);
  const Decision decision{.threshold_class = true, .cap = test.params().at("num_labels_cap").get<std::int64_t>()};
  const auto logits = output.logits.detach();
  test.expect("logits", logits);
  const auto length = test.params().at("batch_shape").at(1).get<std::int64_t>();
  test.require(prepared.documents_length == length, "length of the longest document");
  test.expect("pair_attention", output.attention.detach().slice(1, 0, length));
  test.require(output.attention.slice(1, length).abs().sum().item<double>() == 0, "no attention on padding");
  const auto importance = output.importance.detach();
  test.expect("sentence_importance", importance);
  const auto decisions = decision.decide(logits);
  test.expect("rel_pred", at::cat({decisions.any(1, true).logical_not(), decisions}, 1));
  constexpr double kEvidence = 0.2;
  constexpr std::int64_t kSentences = 25;  // theirs have so many columns
  test.expect("evi_pred", at::constant_pad_nd(importance > kEvidence, {0, kSentences - importance.size(1)}));
  const auto top = top_classes(logits, decision.cap);
  test.expect("topk_scores", logits.gather(1, top.classes));
  test.expect("topk_classes", top.classes);
  test.expect("rel_loss", rel_loss);
  test.expect("evi_loss", evi_loss);
  const auto parameters = prepared.network->named_parameters();
  for (const auto& [name, reference] : test.entry().at("outputs").items()) {
    constexpr std::string_view kGradient = "grad.";
    if (name.starts_with(kGradient)) test.expect(name, parameters[name.substr(kGradient.size())].grad());
  }
  require_gradients(test, *prepared.network);
}

namespace {

constexpr double kAtlopEps = 1e-5;
const std::string kTinyTable = "bert_tiny_emb128_parameters.json";

/// Labelled priors and prior of the cases: the same for every relation.
std::pair<at::Tensor, at::Tensor> priors(const GoldenCase& test) {
  const auto annotated = at::full({96}, 0.003, at::device(test.device()));
  return {annotated, test.params().at("e").get<double>() * annotated};
}

}  // namespace

void shifted_ranking_model(GoldenCase& test) {
  auto prepared = prepare(test, {{"outputs", 97}, {"layers", 1}, {"context_eps", kAtlopEps}},
                          {kTinyTable, "ssrpu_bert_emb128_parameters.json"});
  const auto logits = prepared.network->forward(prepared.batch);
  const auto [annotated, prior] = priors(test);
  SsrPuSpec spec{prior, annotated};
  spec.margin = test.params().at("margin");
  LossInput input;
  input.z = Decision{.threshold_class = true}.log_odds(logits);
  input.y = prepared.batch.y;
  const auto loss = ssr_pu(input, spec);
  loss.backward();
  test.expect("logits", logits);
  test.expect("loss", loss);
  require_gradients(test, *prepared.network);
}

void metric_model(GoldenCase& test) {
  auto prepared = prepare(test,
                          {{"outputs", 96},
                           {"layers", 1},
                           {"context_eps", kAtlopEps},
                           {"head", "metric"},
                           {"scale", test.params().at("lambda")}},
                          {kTinyTable, "p3m_bert_emb128_parameters.json"});
  const auto output = prepared.network->run(prepared.batch);
  const auto [annotated, prior] = priors(test);
  const auto loss = p3m_risks(output.logits, prepared.batch.y, {prior, annotated}).sum();
  loss.backward();
  test.expect("logits", output.cosines);
  test.expect("loss", loss);
  require_gradients(test, *prepared.network);
}

}  // namespace mlpac::golden
