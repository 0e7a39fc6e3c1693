#include "losses/pairwise.h"

#include "losses/bce.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor pairwise(const LossInput& input, const PairwiseSpec& spec) {
  const auto p = at::sigmoid(input.z);
  const auto positive = (input.y > 0).to(p.dtype());
  const auto other = 1 - positive;
  // Every pair counts once: an annotated p as often as its row has others, and the other way round.
  const auto positives = positive.sum(1, true);
  const auto others = other.sum(1, true);
  return reduce(others * positive * (1 - p) + positives * other * p, spec.reduction);
}

Loss create_pairwise(const LossContext& /*context*/) {
  return [](const LossInput& input) { return pairwise(input); };
}

}  // namespace mlpac
