#include "losses/atl.h"

#include <limits>

#include "nn/torch.h"

namespace mlpac {

namespace {

/// log(1 + sum over the chosen classes of e^z), [rows x 1].
at::Tensor log_one_plus(const at::Tensor& z, const at::Tensor& chosen) {
  const auto zero = at::zeros({z.size(0), 1}, z.options());
  const auto others = z.masked_fill(chosen.logical_not(), -std::numeric_limits<double>::infinity());
  return at::cat({zero, others}, 1).logsumexp(1, true);
}

}  // namespace

BceTerms atl_terms(const LossInput& input, const at::Tensor& kept) {
  const auto positive = input.y > 0;
  auto negative = positive.logical_not();
  if (kept.defined()) negative = negative & kept;
  return {(log_one_plus(input.z, positive) - input.z) * positive, log_one_plus(input.z, negative)};
}

LossForm loss_form(const Options& options) {
  return options.text("base-loss") == "atl" ? LossForm::adaptive_threshold : LossForm::cross_entropy;
}

}  // namespace mlpac
