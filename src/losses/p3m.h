// P3M (Wang et al., "A Positive-Unlabeled Metric Learning Framework for Document-Level Relation Extraction with
// Incomplete Labeling", AAAI 2024): the formulas. A loss of their metric learning, d(s_i, s_0) = softplus(scale (s_0 -
// s_i)), is the logistic loss of the log-odds z = scale (s_i - s_0), and a mixture of embeddings that is not normalised
// again is the mixture of log-odds: so everything is a function of z.
#pragma once

#include <ATen/core/Tensor.h>

namespace mlpac {

struct P3mRiskSpec {
  at::Tensor prior;      ///< pi, share of positives of every class [classes]
  at::Tensor annotated;  ///< pi^l, share annotated positive [classes]; not more than the prior
  double beta = 0;       ///< a negative risk below this one is over-fitted
  double gamma = 1;      ///< how fast such a fit is undone
};

/// Risk of every class: with u = softplus(-z) and d = softplus(z), means E_P over annotated and E_U over other rows,
///   R+ = pi w E_P[u], w = sqrt((1 - pi) / pi)
///   R- = (1 - pi) / (1 - pi^u) (E_U[d] - pi^u E_P[d]), pi^u = (pi - pi^l) / (1 - pi^l)
/// it is R+ + R-, or -gamma R- where R- < beta. Means over nothing are 0.
at::Tensor p3m_risks(const at::Tensor& z, const at::Tensor& y, const P3mRiskSpec& spec);

/// Every annotated entry is mixed with an `other` one that is not positive ([rows x classes], or [1 x classes] for the
/// none class): of z' = share z + (1 - share) other the loss is share softplus(-z') + (1 - share) softplus(z'),
/// averaged over the annotated entries of a class and summed over classes.
at::Tensor p3m_mixup(const at::Tensor& z, const at::Tensor& other, const at::Tensor& y, double share);

/// For every entry a row that is not annotated with its class, by uniform draws [rows x classes]; any row if all are.
at::Tensor p3m_partners(const at::Tensor& y, const at::Tensor& draws);

}  // namespace mlpac
