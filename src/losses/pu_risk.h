// Risk of positive-unlabelled learning under a shift of the prior, per class: Wang et al., "A Unified
// Positive-Unlabeled Learning Framework for Document-Level Relation Extraction with Different Levels of Labeling",
// EMNLP 2022.
#pragma once

#include <ATen/core/Tensor.h>

namespace mlpac {

struct PuRiskSpec {
  at::Tensor prior;      ///< pi, share of positives of every class [classes]
  at::Tensor annotated;  ///< pi^l, share annotated positive [classes]; not more than the prior
  double beta = 0;       ///< a negative risk below this one is over-fitted
  double gamma = 1;      ///< how fast such a fit is undone
};

/// `up` and `down` [rows x classes] are the losses of calling an entry positive and negative; `positive` is 1 where it
/// is annotated. Per class
///   R+ = pi w E_P[up], w = sqrt((1 - pi) / pi)
///   R- = (1 - pi) / (1 - pi^u) (E_U[down] - pi^u E_P[down]), pi^u = (pi - pi^l) / (1 - pi^l)
/// and the loss R+ + R-, or -gamma R- where R- < beta. Means over nothing are 0.
at::Tensor pu_risk(const at::Tensor& up, const at::Tensor& down, const at::Tensor& positive, const PuRiskSpec& spec);

/// Mean over the rows whose mask is 1, per class; 0 if there are none.
at::Tensor masked_mean(const at::Tensor& values, const at::Tensor& mask);

}  // namespace mlpac
