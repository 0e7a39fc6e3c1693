// Unbiased and non-negative PU risk (Kiryo et al., NIPS 2017), and the latter for imbalanced data (Su, Chen, Xu, IJCAI
// 2021), class by class.
#pragma once

#include "losses/pu_risk.h"

namespace mlpac {

struct NnPuSpec {
  at::Tensor prior;  ///< of the positives among the unlabelled entries, [classes]
  Surrogate surrogate = Surrogate::sigmoid;
  bool non_negative = true;
  double beta = 0;    ///< the negative risk may fall to -beta
  double gamma = 1;   ///< strength of the correction
  double target = 0;  ///< prior to which the classes are re-balanced (0.5 in the paper on imbalance); 0: they are not
  bool include_positives = false;  ///< annotated entries are among the unlabelled ones
};

/// What is minimised, and what is reported: they differ where the correction is active.
struct NnPuLoss {
  at::Tensor minimised;  ///< [classes]
  at::Tensor reported;   ///< [classes]
  PuRisk risk;
};
NnPuLoss nnpu_parts(const LossInput& input, const NnPuSpec& spec);
/// Sum over the classes: the value is the reported one, the gradient that of the minimised one.
at::Tensor nnpu(const LossInput& input, const NnPuSpec& spec);

Loss create_upu(const LossContext& context);
Loss create_nnpu(const LossContext& context);
Loss create_imbalanced_nnpu(const LossContext& context);

}  // namespace mlpac
