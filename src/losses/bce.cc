#include "losses/bce.h"

#include <algorithm>
#include <numeric>

#include "distributed/batch_share.h"
#include "kernels/kernels.h"
#include "losses/atl.h"
#include "nn/known_gradient.h"

namespace mlpac {

BatchSums batch_sums(const at::Tensor& y) {
  const auto positive = y > 0;
  const auto counts = over_batch(at::stack({positive.sum(), positive.any(1).sum()})).to(y.dtype());
  const auto rows = static_cast<double>(rows_of_batch(y.size(0)));
  return {counts[0], rows * static_cast<double>(y.size(1)) - counts[0], counts[1], rows - counts[1]};
}

double LossContext::annotated_share(std::size_t c) const {
  return static_cast<double>(positives[c]) / static_cast<double>(std::max<std::int64_t>(1, rows));
}

double LossContext::annotated_rate() const {
  const auto count = std::accumulate(positives.begin(), positives.end(), std::int64_t{0});
  const double per_row = static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(1, rows));
  return per_row / static_cast<double>(classes());
}

BceTerms bce_terms(const LossInput& input) {
  const auto positive = (input.y > 0).to(input.z.dtype());
  const auto softplus = at::softplus(input.z);
  return {positive * (softplus - input.z), (1 - positive) * softplus};
}

at::Tensor reduce(const at::Tensor& terms, Reduction reduction) {
  return reduction == Reduction::sum ? terms.sum() : terms.sum() / static_cast<double>(terms.size(0));
}

std::optional<at::Tensor> fused_bce(const LossInput& input, double positive_weight, Reduction reduction) {
  const auto& z = input.z;
  const auto& y = input.y;
  if (!plain_floats(z) || !plain_floats(y) || z.sizes() != y.sizes()) return {};
  const auto gradient = at::empty(z.sizes(), at::kFloat);
  const double scale = reduction == Reduction::sum ? 1 : 1 / static_cast<double>(z.size(0));
  const double loss = kernels::cross_entropy(z.data_ptr<float>(), y.data_ptr<float>(), gradient.data_ptr<float>(),
                                             z.numel(), static_cast<float>(positive_weight), static_cast<float>(scale));
  return with_gradient(z, loss, gradient);
}

at::Tensor bce(const LossInput& input, const BceSpec& spec) {
  if (spec.form == LossForm::adaptive_threshold) {
    const auto terms = atl_terms(input);
    return reduce(terms.positive, spec.reduction) + reduce(terms.negative, spec.reduction);
  }
  if (auto fused = fused_bce(input, 1, spec.reduction)) return *fused;
  const auto positive = (input.y > 0).to(input.z.dtype());
  return reduce(at::softplus(input.z) - positive * input.z, spec.reduction);
}

Loss create_bce(const LossContext& context) {
  const BceSpec spec{.form = loss_form(context.options)};
  return [spec](const LossInput& input) { return bce(input, spec); };
}

}  // namespace mlpac
