#include "mlpac/decision.h"

#include <algorithm>

#include "nn/torch.h"

namespace mlpac {

at::Tensor Decision::log_odds(const at::Tensor& logits) const {
  if (!threshold_class) return logits;
  return logits.slice(1, 1) - logits.slice(1, 0, 1);
}

at::Tensor Decision::decide(const at::Tensor& logits, const at::Tensor& shift) const {
  const auto z = log_odds(logits);
  auto decisions = shift.defined() ? z > shift : z > 0;
  if (threshold_class && cap > 0 && cap < logits.size(1)) {
    // Every logit tied with the k-th largest stays, as in the official get_label.
    const auto border = std::get<0>(logits.topk(cap, 1)).slice(1, cap - 1);
    decisions = decisions & (logits.slice(1, 1) >= border);
  }
  return decisions;
}

TopClasses top_classes(const at::Tensor& logits, std::int64_t count) {
  const auto [values, classes] = logits.topk(std::min(count, logits.size(1)), 1);
  const auto listed = (classes == 0).any(1, true);
  const auto threshold = at::where(listed, logits.slice(1, 0, 1), values.slice(1, values.size(1) - 1) - 1);
  return {values - threshold, classes};
}

}  // namespace mlpac
