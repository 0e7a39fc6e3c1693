// Binary cross entropy with the positive terms multiplied by a weight.
#pragma once

#include "losses/bce.h"
#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

/// How strongly positives count.
enum class PositiveWeight {
  ratio,  ///< others / positives of the batch: the paper
  share,  ///< all entries / positives of the batch: the official image code
  rows,   ///< rows without an annotated positive / rows with one, at least 1 (entity pairs of documents)
  fixed,  ///< a given number
};

struct PosWeightSpec {
  PositiveWeight rule = PositiveWeight::ratio;
  double weight = 1;  ///< for PositiveWeight::fixed
  double cap = 0;     ///< largest weight; 0: none
  Reduction reduction = Reduction::mean;
  LossForm form = LossForm::cross_entropy;
};
PosWeightSpec pos_weight_spec(const Options& options);
at::Tensor pos_weight(const LossInput& input, const PosWeightSpec& spec = {});
Loss create_pos_weight(const LossContext& context);
std::vector<LossTrial> pos_weight_trials(const LossContext& context, std::span<const double> factors);

}  // namespace mlpac
