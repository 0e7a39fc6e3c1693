// Expected positive regularisation (Cole et al., CVPR 2021): only annotated positives are learned from; what keeps the
// rest down is that a row is expected to have k positives on average.
#pragma once

#include "mlpac/losses.h"

namespace mlpac {

struct EprSpec {
  double expected = 1;  ///< k, positives per row
  double epsilon = 1e-5;
};
/// What --expected-positives says: a number, or the sum of the priors. UsageError for anything else.
EprSpec epr_spec(const Options& options, std::span<const double> prior, std::int64_t classes);

/// Mean over entries, as the regulariser's weight refers to that. Known negatives are learned from, too.
at::Tensor epr(const LossInput& input, const EprSpec& spec = {});
Loss create_epr(const LossContext& context);

/// (mean over rows of the sum of p - k)^2 / classes^2.
at::Tensor expected_positives_penalty(const at::Tensor& z, double expected);

}  // namespace mlpac
