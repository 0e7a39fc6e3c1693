// Partial asymmetric loss (Ben-Baruch et al., CVPR 2022): own focusing for annotated positives, known negatives and
// unknown entries, and modes that decide which of the latter count at all.
#pragma once

#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

/// What becomes of unknown entries.
enum class PartialMode {
  negative,           ///< they are negatives with their own exponent
  ignore,             ///< they do not count
  ignore_normalised,  ///< the same; rows with few known entries count more
};

struct PAslSpec {
  PartialMode mode = PartialMode::negative;
  double gamma_positive = 0;
  double gamma_negative = 1;  ///< of known negatives
  double gamma_unknown = 4;
  double alpha_positive = 1;
  double alpha_negative = 1;
  double alpha_unknown = 1;
  double clip = 0;
  double floor = 0;  ///< as in AslSpec
  Reduction reduction = Reduction::mean;
};
PAslSpec p_asl_spec(const LossContext& context);
at::Tensor p_asl(const LossInput& input, const PAslSpec& spec = {});
Loss create_p_asl(const LossContext& context);

/// The loss with a weight for every entry [rows x classes]; the mode is not looked at.
at::Tensor weighted_p_asl(const LossInput& input, const at::Tensor& weights, const PAslSpec& spec);

}  // namespace mlpac
