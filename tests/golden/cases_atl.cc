// Adaptive thresholding: loss, decisions with and without a cap, scores of the best classes.
#include "golden_case.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "mlpac/decision.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

at::Tensor with_none_column(const at::Tensor& labels) {
  return at::cat({labels.any(1, true).logical_not(), labels}, 1);
}

}  // namespace

void adaptive_threshold(GoldenCase& test) {
  const auto logits = test.input_float("logits").clone().requires_grad_();
  const Decision decision{.threshold_class = true, .cap = test.params().at("num_labels_cap").get<std::int64_t>()};
  LossInput input;
  input.z = decision.log_odds(logits);
  input.y = test.input_float("labels").slice(1, 1);
  const auto loss = bce(input, {.form = LossForm::adaptive_threshold});
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_logits", logits.grad());
  const auto values = logits.detach();
  test.expect("label_top4", with_none_column(decision.decide(values)));
  test.expect("label_nocap", with_none_column(Decision{.threshold_class = true}.decide(values)));
  const auto top = top_classes(values, decision.cap);
  test.expect("topk_values", values.gather(1, top.classes));
  // Which class stands first among equals is not said.
  const auto known = test.output("topk_indices");
  test.expect("topk_indices", at::where(known < 0, known.to(at::kLong), top.classes));
}

void sampled_adaptive_threshold(GoldenCase& test) {
  const auto logits = test.input_float("logits").clone().requires_grad_();
  LossInput input;
  input.z = Decision{.threshold_class = true}.log_odds(logits);
  input.y = test.input_float("labels").slice(1, 1);
  input.sums = batch_sums(input.y);
  input.draws = 1 - test.input_float("draw").slice(1, 1);  // theirs are kept up to the rate, ours from one minus it
  NegWeightSpec spec{NegativeSampling::every, test.params().at("ns_rate").get<double>()};
  spec.form = LossForm::adaptive_threshold;
  const auto loss = neg_weight(input, spec);
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_logits", logits.grad());
}

}  // namespace mlpac::golden
