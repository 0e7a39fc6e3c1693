#include "losses/asl.h"

#include <cmath>

#include "losses/bce.h"
#include "nn/torch.h"

namespace mlpac {

AsymmetricParts asymmetric_parts(const at::Tensor& z, double clip, double floor) {
  // Logarithms are taken of z, not of p: without a floor a hopeless positive keeps its gradient.
  const auto log_of = [floor](const at::Tensor& odds) {
    const auto log = at::log_sigmoid(odds);
    return floor > 0 ? log.clamp_min(std::log(floor)) : log;
  };
  const auto p = at::sigmoid(z);
  if (clip <= 0) return {log_of(z), log_of(-z), at::sigmoid(-z), p};
  const auto negative = (1 - p + clip).clamp_max(1);
  return {log_of(z), negative.log(), at::sigmoid(-z), 1 - negative};
}

at::Tensor focusing(const at::Tensor& base, double gamma) {
  if (gamma == 0) return at::ones_like(base);
  return base.clamp_min(1e-12).pow(gamma);
}

at::Tensor asl(const LossInput& input, const AslSpec& spec) {
  const auto parts = asymmetric_parts(input.z, spec.clip, spec.floor);
  const auto positive = (input.y > 0).to(input.z.dtype());
  auto miss = focusing(parts.miss, spec.gamma_positive);
  auto alarm = focusing(parts.alarm, spec.gamma_negative);
  if (!spec.focus_gradient) {
    miss = miss.detach();
    alarm = alarm.detach();
  }
  const auto terms = positive * miss * parts.log_positive + (1 - positive) * alarm * parts.log_negative;
  return reduce(-terms, spec.reduction);
}

Loss create_asl(const LossContext& context) {
  const auto& options = context.options;
  AslSpec spec;
  spec.gamma_positive = options.number("gamma-positive");
  spec.gamma_negative = options.number("gamma-negative");
  spec.clip = options.number("probability-margin");
  spec.focus_gradient = options.flag("focus-gradient");
  return [spec](const LossInput& input) { return asl(input, spec); };
}

}  // namespace mlpac
