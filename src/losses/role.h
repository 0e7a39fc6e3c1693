// Regularised online label estimation (Cole et al., CVPR 2021): the formula. Classifier and a free matrix of estimated
// labels learn from the annotations and from each other.
#pragma once

#include "losses/epr.h"

namespace mlpac {

struct RoleLoss {
  at::Tensor loss;
  at::Tensor penalty;  ///< the part of it that expects k positives per row
};
/// `estimated`: logits of the label estimator [rows x classes].
RoleLoss role(const at::Tensor& z, const at::Tensor& estimated, const at::Tensor& y, const EprSpec& spec);

/// First logits of the label estimator: sure of what is annotated, undecided (probability 0.4 to 0.6, by uniform
/// `draws`) about the rest.
at::Tensor role_initial_logits(const at::Tensor& draws, const at::Tensor& y);
/// Logits of estimated labels, kept finite.
at::Tensor role_logits(const at::Tensor& probabilities);

}  // namespace mlpac
