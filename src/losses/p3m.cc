#include "losses/p3m.h"

#include "losses/pu_risk.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor p3m_risks(const at::Tensor& z, const at::Tensor& y, const P3mRiskSpec& spec) {
  const auto positive = (y > 0).to(z.dtype());
  const auto weights = shifted_weights(spec.prior, spec.annotated);
  const auto terms = surrogate_terms(z, Surrogate::logistic);
  return corrected(pu_risk(terms, {positive, 1 - positive}, weights), spec.beta, spec.gamma);
}

at::Tensor p3m_mixup(const at::Tensor& z, const at::Tensor& other, const at::Tensor& y, double share) {
  const auto mixed = share * z + (1 - share) * other;
  const auto terms = share * at::softplus(-mixed) + (1 - share) * at::softplus(mixed);
  return mean_over(terms, (y > 0).to(z.dtype())).sum();
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
