#include "losses/p_asl.h"

#include <algorithm>

#include "losses/asl.h"
#include "losses/bce.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

/// The weight omega of each entry.
at::Tensor mode_weights(const at::Tensor& y, PartialMode mode) {
  if (mode == PartialMode::negative) return at::ones_like(y);
  const auto known = (y != 0).to(y.dtype());
  if (mode == PartialMode::ignore) return known;
  return known * (1 + 1 / (1 + known.sum(1, true)));
}

}  // namespace

at::Tensor weighted_p_asl(const LossInput& input, const at::Tensor& weights, const PAslSpec& spec) {
  const auto parts = asymmetric_parts(input.z, spec.clip, spec.floor);
  const auto type = input.z.dtype();
  const auto positive = (input.y > 0).to(type);
  const auto negative = (input.y < 0).to(type);
  const auto unknown = (input.y == 0).to(type);
  // The focusing factors are constants of the step, unlike those of ASL.
  const auto up = spec.alpha_positive * positive * focusing(parts.miss.detach(), spec.gamma_positive);
  const auto alarm = parts.alarm.detach();
  const auto down = spec.alpha_negative * negative * focusing(alarm, spec.gamma_negative) +
                    spec.alpha_unknown * unknown * focusing(alarm, spec.gamma_unknown);
  return reduce(-weights * (up * parts.log_positive + down * parts.log_negative), spec.reduction);
}

at::Tensor p_asl(const LossInput& input, const PAslSpec& spec) {
  return weighted_p_asl(input, mode_weights(input.y, spec.mode), spec);
}

PAslSpec p_asl_spec(const LossContext& context) {
  const auto& options = context.options;
  PAslSpec spec;
  spec.gamma_positive = options.number("gamma-positive");
  spec.gamma_negative = options.number("gamma-negative");
  spec.gamma_unknown = options.number("gamma-unknown");
  spec.clip = options.number("probability-margin");
  return spec;
}

Loss create_p_asl(const LossContext& context) {
  auto spec = p_asl_spec(context);
  if (const auto& mode = context.options.text("partial"); mode != "negative") {
    if (std::all_of(context.negatives.begin(), context.negatives.end(), [](std::int64_t n) { return n == 0; })) {
      throw UsageError("--partial " + mode +
                       ": the training rows have no known negatives (-1), so that everything would be predicted; "
                       "use --partial negative");
    }
    spec.mode = mode == "ignore" ? PartialMode::ignore : PartialMode::ignore_normalised;
  }
  return [spec](const LossInput& input) { return p_asl(input, spec); };
}

}  // namespace mlpac
