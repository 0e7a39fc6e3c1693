#include "losses/pu_risk.h"

#include <algorithm>

#include "distributed/batch_share.h"
#include "nn/torch.h"

namespace mlpac {

SurrogateTerms surrogate_terms(const at::Tensor& f, Surrogate surrogate, double margin) {
  switch (surrogate) {
    case Surrogate::sigmoid:
      return {at::sigmoid(-f), at::sigmoid(f)};
    case Surrogate::logistic:
      return {at::softplus(-f), at::softplus(f)};
    case Surrogate::squared:
      break;
  }
  return {0.25 * (f - margin).pow(2), 0.25 * (f + margin).pow(2)};
}

PuSets pu_sets(const LossInput& input, bool include_positives) {
  const auto positive = (input.y > 0).to(input.z.dtype());
  auto unlabelled = include_positives ? at::ones_like(positive) : 1 - positive;
  if (input.drawn_positives == 0) return {positive, unlabelled};
  const auto rows = input.y.size(0);
  const auto drawn = (at::arange(rows, input.y.options()) < input.drawn_positives).to(positive.dtype()).unsqueeze(1);
  return {positive * drawn, unlabelled * (1 - drawn)};
}

PuWeights shifted_weights(const at::Tensor& prior, const at::Tensor& annotated) {
  return {(prior * (1 - prior)).sqrt(), 1 - annotated, prior - annotated};
}

at::Tensor mean_over(const at::Tensor& values, const at::Tensor& set) {
  return over_batch((values * set).sum(0)) / over_batch(set.sum(0)).clamp_min(1);
}

PuRisk pu_risk(const SurrogateTerms& terms, const PuSets& sets, const PuWeights& weights) {
  const auto like = [&](const at::Tensor& factors) { return factors.to(terms.up.options()); };
  return {like(weights.positive) * mean_over(terms.up, sets.positive),
          like(weights.unlabelled) * mean_over(terms.down, sets.unlabelled) -
              like(weights.contamination) * mean_over(terms.down, sets.positive)};
}

at::Tensor corrected(const PuRisk& risk, double floor, double gamma) {
  return at::where(risk.negative < floor, -gamma * risk.negative, risk.positive + risk.negative);
}

double unlabelled_prior(double prior, double annotated) {
  return annotated < 1 ? std::clamp((prior - annotated) / (1 - annotated), 0.0, 1.0) : 0;
}

at::Tensor class_tensor(std::span<const double> values) {
  return at::tensor(at::ArrayRef<double>(values.data(), values.size()), at::kDouble);
}

}  // namespace mlpac
