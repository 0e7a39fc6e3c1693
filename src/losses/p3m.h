// P3M (Wang et al., "A Positive-Unlabeled Metric Learning Framework for Document-Level Relation Extraction with
// Incomplete Labeling", AAAI 2024): the formulas. A loss of their metric learning, d(s_i, s_0) = softplus(scale (s_0 -
// s_i)), is the logistic loss of the log-odds z = scale (s_i - s_0), and a mixture of embeddings that is not normalised
// again is the mixture of log-odds: so everything is a function of z.
#pragma once

#include "losses/pu_risk.h"

namespace mlpac {

/// PU risk with the logistic loss, summed over classes.
at::Tensor p3m_risk(const at::Tensor& z, const at::Tensor& y, const PuRiskSpec& spec);

/// Every annotated entry is mixed with an `other` one that is not positive ([rows x classes], or [1 x classes] for the
/// none class): of z' = share z + (1 - share) other the loss is share softplus(-z') + (1 - share) softplus(z'),
/// averaged over the annotated entries of a class and summed over classes.
at::Tensor p3m_mixup(const at::Tensor& z, const at::Tensor& other, const at::Tensor& y, double share);

/// For every entry a row that is not annotated with its class, by uniform draws [rows x classes]; any row if all are.
at::Tensor p3m_partners(const at::Tensor& y, const at::Tensor& draws);

}  // namespace mlpac
