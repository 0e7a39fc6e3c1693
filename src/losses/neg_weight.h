// Binary cross entropy with only some of the unknown entries.
#pragma once

#include "losses/bce.h"
#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

/// Which unknown entries are kept.
enum class NegativeSampling {
  multiple,  ///< as many as `negatives` times the positives of the batch: the paper
  rate,      ///< each with probability `negatives`, if the batch has more than 10 times as many entries as positives:
             ///< the official image code
  every,     ///< each with probability `negatives` (official DocRE critic)
  rows,      ///< all of rows with an annotated positive, and of `negatives` times as many other rows
};

struct NegWeightSpec {
  NegativeSampling sampling = NegativeSampling::multiple;
  double negatives = 10;
  Reduction reduction = Reduction::mean;
  LossForm form = LossForm::cross_entropy;
};
NegWeightSpec neg_weight_spec(const Options& options);
at::Tensor neg_weight(const LossInput& input, const NegWeightSpec& spec = {});
Loss create_neg_weight(const LossContext& context);
std::vector<LossTrial> neg_weight_trials(const LossContext& context, std::span<const double> factors);

}  // namespace mlpac
