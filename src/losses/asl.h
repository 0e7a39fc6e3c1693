// Asymmetric loss (Ridnik et al., ICCV 2021): cross entropy in which easy entries count less, negatives even more so.
#pragma once

#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

struct AslSpec {
  double gamma_positive = 1;
  double gamma_negative = 4;
  double clip = 0.05;          ///< a negative whose probability is below costs nothing
  bool focus_gradient = true;  ///< the gradient passes through the focusing factors, too
  double floor = 0;            ///< probabilities are not taken for smaller in logarithms (official code: 1e-8)
  Reduction reduction = Reduction::mean;
};
/// Every entry that is not annotated is a negative.
at::Tensor asl(const LossInput& input, const AslSpec& spec = {});
Loss create_asl(const LossContext& context);

/// What asymmetric losses are made of, [rows x classes] each. With p_n = min(1 - p + clip, 1):
struct AsymmetricParts {
  at::Tensor log_positive;  ///< log p
  at::Tensor log_negative;  ///< log p_n
  at::Tensor miss;          ///< 1 - p
  at::Tensor alarm;         ///< 1 - p_n
};
AsymmetricParts asymmetric_parts(const at::Tensor& z, double clip, double floor);
/// base^gamma, with a gradient that is finite at 0.
at::Tensor focusing(const at::Tensor& base, double gamma);

}  // namespace mlpac
