#include "losses/pu_risk.h"

#include "nn/torch.h"

namespace mlpac {

at::Tensor masked_mean(const at::Tensor& values, const at::Tensor& mask) {
  return (values * mask).sum(0) / mask.sum(0).clamp_min(1);
}

at::Tensor pu_risk(const at::Tensor& up, const at::Tensor& down, const at::Tensor& positive, const PuRiskSpec& spec) {
  // (1 - pi) / (1 - pi^u) = 1 - pi^l and pi w = sqrt(pi (1 - pi)): no division by what may be 0.
  const auto fitted = (spec.prior * (1 - spec.prior)).sqrt() * masked_mean(up, positive);
  const auto negative = (1 - spec.annotated) * masked_mean(down, 1 - positive) -
                        (spec.prior - spec.annotated) * masked_mean(down, positive);
  return at::where(negative >= spec.beta, fitted + negative, -spec.gamma * negative);
}

}  // namespace mlpac
