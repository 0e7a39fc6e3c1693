// Regularised online label estimation (Cole et al., "Multi-Label Learning from Single Positive Labels", CVPR 2021): the
// formula. Classifier and a free matrix of estimated labels learn from the annotations and from each other.
#pragma once

#include <ATen/core/Tensor.h>

namespace mlpac {

struct RoleSpec {
  double expected = 1;  ///< k, positives per row
  double epsilon = 1e-5;
};

struct RoleLoss {
  at::Tensor loss;
  at::Tensor penalty;  ///< the part of it that expects k positives per row
};
/// `estimated`: logits of the label estimator [rows x classes], as z. Known negatives are learned from as annotated
/// positives are.
RoleLoss role(const at::Tensor& z, const at::Tensor& estimated, const at::Tensor& y, const RoleSpec& spec);

/// First logits of the label estimator: sure of what is annotated, undecided (probability 0.4 to 0.6, by uniform
/// `draws`) about the rest.
at::Tensor role_initial_logits(const at::Tensor& draws, const at::Tensor& y);
/// Logits of estimated labels, kept finite.
at::Tensor role_logits(const at::Tensor& probabilities);

}  // namespace mlpac
