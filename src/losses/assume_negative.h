// Losses of Cole et al. (CVPR 2021) that assume unknown entries to be negative, but not quite: with smoothed labels
// (AN-LS) or with a small weight (WAN). A weight of 0 ignores them (IU; IUN where the negatives are known).
#pragma once

#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

struct AssumeNegativeSpec {
  double smoothing = 0;       ///< share of the other label in every target
  double unknown_weight = 1;  ///< of unknown entries; known negatives always have weight 1
  double epsilon = 1e-5;      ///< added to probabilities before the logarithm
  Reduction reduction = Reduction::mean;
};
at::Tensor assume_negative(const LossInput& input, const AssumeNegativeSpec& spec = {});
Loss create_an_ls(const LossContext& context);
Loss create_wan(const LossContext& context);

/// -log(sigmoid(z) + epsilon), stable for epsilon 0.
at::Tensor negative_log(const at::Tensor& z, double epsilon);

}  // namespace mlpac
