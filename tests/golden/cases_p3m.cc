// P3M: metric loss, augmentation and mixup of the relation-extraction code on given embeddings.
#include "golden_case.h"
#include "losses/p3m.h"
#include "nn/cosine.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// The rows that were drawn for the annotated entries, class by class: indices into the rows without the class.
at::Tensor partners_of(const nlohmann::json& choices, const at::Tensor& y) {
  auto partners = at::zeros(y.sizes(), y.options().dtype(at::kLong));
  for (std::int64_t c = 0; c < y.size(1); ++c) {
    const auto positives = (y.select(1, c) > 0).nonzero().squeeze(1);
    const auto others = (y.select(1, c) <= 0).nonzero().squeeze(1);
    const auto drawn =
        torch::tensor(choices.at(static_cast<std::size_t>(c)).get<std::vector<std::int64_t>>(), partners.options());
    partners.select(1, c).index_copy_(0, positives, others.index_select(0, drawn));
  }
  return partners;
}

}  // namespace

void p3m(GoldenCase& test) {
  const auto& params = test.params();
  const double scale = params.at("lambda");
  const std::string augmentation = params.at("aug");
  const auto first = test.input_float("embedding_view1").clone().requires_grad_();
  const auto second = test.input_float("embedding_view2").clone().requires_grad_();
  const auto classes = test.input_float("relation_embedding").clone().requires_grad_();
  const auto annotated = test.input_float("priors_labelled");
  const auto y = test.input_float("labels").slice(1, 1);  // theirs has a column for the none class
  const P3mRiskSpec spec{params.at("e").get<double>() * annotated, annotated, params.at("beta"), params.at("gamma")};

  const auto logits = cosines(first, classes);
  const auto logits2 = cosines(second, classes);
  auto rows = (y > 0).any(1).nonzero().squeeze(1);
  if (augmentation == "all_aug") rows = at::arange(y.size(0), rows.options());
  if (augmentation == "no_aug") rows = rows.slice(0, 0, 0);
  const auto used = at::cat({logits, logits2.index_select(0, rows)});
  auto loss = p3m_risks(cosine_log_odds(used, scale), at::cat({y, y.index_select(0, rows)}), spec).sum();
  if (params.at("use_mixup")) {
    const auto z = cosine_log_odds(at::cat({logits, logits2}), scale);
    const auto both = at::cat({y, y});
    const auto other = params.at("mixup_type") == "e_emb"
                           ? z.gather(0, partners_of(params.at("e_emb_choices"), both))
                           : cosine_log_odds(cosines(classes.slice(0, 0, 1), classes), scale);
    loss = loss + params.at("mixup_rate").get<double>() * p3m_mixup(z, other, both, params.at("mu"));
  }
  loss.backward();
  test.expect("loss", loss);
  test.expect("loss_eval", p3m_risks(cosine_log_odds(logits, scale), y, spec).sum());
  test.expect("logits_view1", logits);
  test.expect("logits_used", used);
  test.expect("grad_embedding_view1", first.grad());
  test.expect("grad_relation_embedding", classes.grad());
  if (second.grad().defined()) test.expect("grad_embedding_view2", second.grad());
}

}  // namespace mlpac::golden
