#include "losses/assume_negative.h"

#include <algorithm>

#include "losses/bce.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor negative_log(const at::Tensor& z, double epsilon) {
  return epsilon == 0 ? -at::log_sigmoid(z) : -(at::sigmoid(z) + epsilon).log();
}

at::Tensor assume_negative(const LossInput& input, const AssumeNegativeSpec& spec) {
  const auto type = input.z.dtype();
  const auto positive = (input.y > 0).to(type);
  const auto target = positive * (1 - 2 * spec.smoothing) + spec.smoothing;
  const auto weight = 1 - (1 - spec.unknown_weight) * (input.y == 0).to(type);
  const auto terms = target * negative_log(input.z, spec.epsilon) + (1 - target) * negative_log(-input.z, spec.epsilon);
  return reduce(weight * terms, spec.reduction);
}

Loss create_an_ls(const LossContext& context) {
  const AssumeNegativeSpec spec{.smoothing = context.options.number("smoothing")};
  return [spec](const LossInput& input) { return assume_negative(input, spec); };
}

Loss create_wan(const LossContext& context) {
  AssumeNegativeSpec spec{.unknown_weight = context.options.number("unknown-weight")};
  // All unknown entries of a row together weigh as much as its one positive.
  const auto others = static_cast<double>(std::max<std::int64_t>(1, context.classes() - 1));
  if (spec.unknown_weight == 0) spec.unknown_weight = 1 / others;
  return [spec](const LossInput& input) { return assume_negative(input, spec); };
}

}  // namespace mlpac
