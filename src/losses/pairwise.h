// Pairwise ranking (the PR baseline of Cole et al., CVPR 2021): an annotated class should have a larger probability
// than every unknown one of its row.
#pragma once

#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

struct PairwiseSpec {
  Reduction reduction = Reduction::mean;
};
/// Sum over pairs of 1 - p_annotated + p_other, which is never negative.
at::Tensor pairwise(const LossInput& input, const PairwiseSpec& spec = {});
Loss create_pairwise(const LossContext& context);

}  // namespace mlpac
