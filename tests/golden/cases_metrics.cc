// Image metrics of the official codes.
#include <vector>

#include "golden_case.h"
#include "mlpac/metrics.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

template <typename T>
MatrixView<T> view(const at::Tensor& matrix) {
  return {{matrix.data_ptr<T>(), static_cast<std::size_t>(matrix.numel())}, matrix.size(0), matrix.size(1)};
}

at::Tensor as_tensor(const std::vector<double>& values) { return at::tensor(values, at::kDouble); }

Metrics evaluate_at(const at::Tensor& scores, const at::Tensor& targets, double threshold,
                    Zeros zeros = Zeros::negative) {
  const auto decisions = (scores > threshold).to(at::kByte).contiguous();
  return evaluate(view<float>(scores), view<std::uint8_t>(decisions), view<std::int8_t>(targets), zeros);
}

}  // namespace

void image_metrics(GoldenCase& test) {
  const auto scores = test.input_float("scores").contiguous();
  const auto metrics = evaluate_at(scores, test.input("targets").contiguous(), 0.5);
  const auto tied = test.params().value("classes_with_tied_scores", std::vector<std::int64_t>{});
  auto ap = as_tensor(metrics.class_ap) / 100;
  if (!tied.empty()) {
    // The official code orders tied scores by chance, ours does not depend on their order: nothing to compare there.
    const auto reference = test.output("ap");
    for (const auto c : tied) ap[c] = reference[c];
    for (const auto* name : {"mAP_partial", "mAP_partial_weighted"}) test.exclude(name, "tied scores");
  }
  test.expect("mAP", tied.empty() ? metrics.map : 100 * ap.mean().item<double>());
  test.expect("ap", ap);
  test.expect("F1", metrics.f1);
  test.expect("P", metrics.precision);
  test.expect("R", metrics.recall);
  if (!tied.empty()) return;

  // Their partial encoding 1 positive, 0 negative, -1 un-annotated is our +1, -1, 0. They average over the classes that
  // have both kinds of labels, plainly and weighted by positives.
  const auto theirs = test.input("targets_partial").to(at::kInt);
  const auto targets = (theirs.eq(1).to(at::kInt) - theirs.eq(0).to(at::kInt)).to(at::kChar).contiguous();
  const auto partial = evaluate_at(scores, targets, 0.5, Zeros::masked);
  double sum = 0;
  double weighted = 0;
  double classes = 0;
  double positives = 0;
  for (std::size_t c = 0; c < partial.class_ap.size(); ++c) {
    const auto& counts = partial.class_counts[c];
    const auto positive = static_cast<double>(counts.true_positive + counts.false_negative);
    if (positive == 0 || counts.false_positive + counts.true_negative == 0) continue;
    sum += partial.class_ap[c];
    weighted += partial.class_ap[c] * positive;
    classes += 1;
    positives += positive;
  }
  test.expect("mAP_partial", sum / classes);
  test.expect("mAP_partial_weighted", weighted / positives);
}

void image_class_metrics(GoldenCase& test) {
  const auto scores = at::sigmoid(test.input_float("logits")).contiguous();
  const auto metrics = evaluate_at(scores, test.input("targets").contiguous(), test.params().at("threshold"));
  test.expect("P_C", metrics.macro_precision);
  test.expect("R_C", metrics.macro_recall);
  test.expect("F_C", metrics.macro_f1);
  test.expect("P_O", metrics.precision);
  test.expect("R_O", metrics.recall);
  test.expect("F_O", metrics.f1);
  test.expect("mAP", metrics.map);
}

void single_positive_ap(GoldenCase& test) {
  const auto scores = test.input("scores").to(at::kDouble).t().contiguous();
  const auto targets = test.input("targets").to(at::kChar).t().contiguous();
  std::vector<double> ap;
  for (std::int64_t c = 0; c < scores.size(0); ++c) {
    const auto n = static_cast<std::size_t>(scores.size(1));
    ap.push_back(average_precision({scores[c].data_ptr<double>(), n}, {targets[c].data_ptr<std::int8_t>(), n}));
  }
  test.expect("ap", as_tensor(ap));
  test.exclude("precision_at_3", "not one of this program's metrics");
  test.exclude("recall_at_3", "not one of this program's metrics");
}

}  // namespace mlpac::golden
