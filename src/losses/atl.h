// Adaptive thresholding (ATLOP, Zhou et al., AAAI 2021): the positive classes of a row share a softmax with a threshold
// class, and so do all others. Both terms depend on the differences z to the threshold's logit only, so that any
// network with log-odds can be trained by it.
#pragma once

#include "losses/bce.h"

namespace mlpac {

/// With P the positive classes of a row and N the others of which `kept` (boolean [rows x classes]; undefined: all)
/// says that they count:
///   positive_c = log(1 + sum_{j in P} e^{z_j}) - z_c for c in P, otherwise 0     [rows x classes]
///   negative   = log(1 + sum_{j in N} e^{z_j})                                   [rows x 1]
BceTerms atl_terms(const LossInput& input, const at::Tensor& kept = {});

}  // namespace mlpac
