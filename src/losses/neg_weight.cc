#include "losses/losses.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor neg_weight(const LossInput& input, const LossSpec& spec) {
  const auto terms = bce_terms(input);
  const auto& [positives, others] = input.sums;
  // Probability with which an unknown entry is kept.
  at::Tensor keep;
  if (spec.sampling == NegativeSampling::multiple) {
    keep = (spec.negatives * positives / others.clamp_min(1)).clamp_max(1);
  } else if (spec.sampling == NegativeSampling::every) {
    keep = at::full_like(positives, spec.negatives);
  } else {
    const auto many = (10 * positives < positives + others).to(input.z.dtype());
    keep = 1 - many * (1 - spec.negatives);
  }
  const auto kept = (input.draws >= 1 - keep) | (input.y < 0);  // a known negative is always kept
  return reduce(terms.positive + terms.negative * kept, spec.reduction);
}

}  // namespace mlpac
