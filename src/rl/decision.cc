#include "mlpac/decision.h"

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

}  // namespace mlpac
