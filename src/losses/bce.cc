#include "losses/losses.h"
#include "nn/torch.h"

namespace mlpac {

BatchSums batch_sums(const at::Tensor& y) {
  const auto positives = (y > 0).sum().to(y.dtype());
  return {positives, static_cast<double>(y.numel()) - positives};
}

BceTerms bce_terms(const LossInput& input) {
  const auto positive = (input.y > 0).to(input.z.dtype());
  const auto softplus = at::softplus(input.z);
  return {positive * (softplus - input.z), (1 - positive) * softplus};
}

at::Tensor reduce(const at::Tensor& terms, Reduction reduction) {
  return reduction == Reduction::sum ? terms.sum() : terms.sum() / static_cast<double>(terms.size(0));
}

at::Tensor bce(const LossInput& input, const LossSpec& spec) {
  const auto positive = (input.y > 0).to(input.z.dtype());
  return reduce(at::softplus(input.z) - positive * input.z, spec.reduction);
}

}  // namespace mlpac
