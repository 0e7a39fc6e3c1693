#include "losses/p3m.h"

#include "nn/torch.h"

namespace mlpac {

namespace {

/// Mean over the rows whose mask is 1, per class; 0 if there are none.
at::Tensor masked_mean(const at::Tensor& values, const at::Tensor& mask) {
  return (values * mask).sum(0) / mask.sum(0).clamp_min(1);
}

}  // namespace

at::Tensor p3m_risks(const at::Tensor& z, const at::Tensor& y, const P3mRiskSpec& spec) {
  const auto positive = (y > 0).to(z.dtype());
  const auto down = at::softplus(z);
  // (1 - pi) / (1 - pi^u) = 1 - pi^l and pi w = sqrt(pi (1 - pi)): no division by what may be 0.
  const auto fitted = (spec.prior * (1 - spec.prior)).sqrt() * masked_mean(at::softplus(-z), positive);
  const auto negative = (1 - spec.annotated) * masked_mean(down, 1 - positive) -
                        (spec.prior - spec.annotated) * masked_mean(down, positive);
  return at::where(negative >= spec.beta, fitted + negative, -spec.gamma * negative);
}

at::Tensor p3m_mixup(const at::Tensor& z, const at::Tensor& other, const at::Tensor& y, double share) {
  const auto mixed = share * z + (1 - share) * other;
  const auto terms = share * at::softplus(-mixed) + (1 - share) * at::softplus(mixed);
  return masked_mean(terms, (y > 0).to(z.dtype())).sum();
}

at::Tensor p3m_partners(const at::Tensor& y, const at::Tensor& draws) {
  const auto positive = (y > 0).to(at::kInt);
  // Rows that are not positive come first.
  const c10::optional<bool> stable = true;  // a plain bool would choose another overload
  const auto order = std::get<1>(at::sort(positive, stable, /*dim=*/0));
  const auto count = (y.size(0) - positive.sum(0)).clamp_min(1);
  return order.gather(0, (draws * count).to(at::kLong));
}

}  // namespace mlpac
