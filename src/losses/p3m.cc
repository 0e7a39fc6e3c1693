#include "losses/p3m.h"

#include "nn/torch.h"

namespace mlpac {

at::Tensor p3m_risk(const at::Tensor& z, const at::Tensor& y, const PuRiskSpec& spec) {
  return pu_risk(at::softplus(-z), at::softplus(z), (y > 0).to(z.dtype()), spec).sum();
}

at::Tensor p3m_mixup(const at::Tensor& z, const at::Tensor& other, const at::Tensor& y, double share) {
  const auto mixed = share * z + (1 - share) * other;
  const auto terms = share * at::softplus(-mixed) + (1 - share) * at::softplus(mixed);
  return masked_mean(terms, (y > 0).to(z.dtype())).sum();
}

at::Tensor p3m_partners(const at::Tensor& y, const at::Tensor& draws) {
  const auto positive = (y > 0).to(at::kInt);
  // Rows that are not positive come first.
  const auto order = std::get<1>(at::sort(positive, /*stable=*/true, /*dim=*/0));
  const auto count = (y.size(0) - positive.sum(0)).clamp_min(1);
  return order.gather(0, (draws * count).to(at::kLong));
}

}  // namespace mlpac
