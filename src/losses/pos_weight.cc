#include "losses/losses.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor pos_weight(const LossInput& input, const LossSpec& spec) {
  at::Tensor weight;
  if (spec.positive_weight == PositiveWeight::fixed) {
    weight = at::full({}, spec.weight, input.z.options());
  } else {
    // A batch without positives has no positive term, so its weight does not matter as long as it is finite.
    const auto count =
        spec.positive_weight == PositiveWeight::share ? input.sums.others + input.sums.positives : input.sums.others;
    weight = count / input.sums.positives.clamp_min(1);
  }
  if (spec.weight_cap > 0) weight = weight.clamp_max(spec.weight_cap);
  if (input.z.device().is_cpu()) {
    if (auto fused = fused_bce(input, weight.item<double>(), spec.reduction)) return *fused;
  }
  const auto terms = bce_terms(input);
  return reduce(weight * terms.positive + terms.negative, spec.reduction);
}

}  // namespace mlpac
