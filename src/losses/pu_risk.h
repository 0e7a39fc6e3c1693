// What learning from positive and unlabelled entries has in common: surrogate losses, the two partial risks of each
// class, and the correction that keeps the negative one from falling below what is possible.
#pragma once

#include "mlpac/losses.h"

namespace mlpac {

enum class Surrogate {
  sigmoid,   ///< sigmoid(-s f)
  logistic,  ///< softplus(-s f)
  squared,   ///< (s f - margin)^2 / 4
};

/// l(f, +1) and l(f, -1) of every entry.
struct SurrogateTerms {
  at::Tensor up;
  at::Tensor down;
};
SurrogateTerms surrogate_terms(const at::Tensor& f, Surrogate surrogate, double margin = 0);

/// Which entries stand for the positives of a class and which for its unlabelled rows, as 0 and 1 [rows x classes].
struct PuSets {
  at::Tensor positive;
  at::Tensor unlabelled;
};
/// `include_positives`: an annotated entry is one of the unlabelled ones, too. In a batch whose positives were drawn
/// separately they alone are positives, and unlabelled is what was drawn from all rows.
PuSets pu_sets(const LossInput& input, bool include_positives);

/// Means of every class over a set; 0 where it is empty. [classes]
at::Tensor mean_over(const at::Tensor& values, const at::Tensor& set);

/// Factors of the partial risks, [classes] each:
/// R+ = positive E_P l(f, +1), R- = unlabelled E_U l(f, -1) - contamination E_P l(f, -1).
struct PuWeights {
  at::Tensor positive;
  at::Tensor unlabelled;
  at::Tensor contamination;
};
/// Of a risk that knows how much annotation left out (SSR-PU's S-PU, P3M), with pi_u = (pi - annotated) / (1 -
/// annotated): R+ is weighted by sqrt((1 - pi) / pi), and (1 - pi) / (1 - pi_u) = 1 - annotated.
PuWeights shifted_weights(const at::Tensor& prior, const at::Tensor& annotated);

/// [classes] each.
struct PuRisk {
  at::Tensor positive;
  at::Tensor negative;
};
/// Means over the batch; 0 where it has no such entry.
PuRisk pu_risk(const SurrogateTerms& terms, const PuSets& sets, const PuWeights& weights);

/// R+ + R-, or -gamma R- for classes with R- < floor: there the network has begun to tell unlabelled positives from
/// annotated ones, and is led back. [classes]
at::Tensor corrected(const PuRisk& risk, double floor, double gamma);

/// Prior of the positives among the entries that are not annotated.
double unlabelled_prior(double prior, double annotated);
/// One number per class as a tensor.
at::Tensor class_tensor(std::span<const double> values);

}  // namespace mlpac
