// Class priors: the share of rows that are truly positive, estimated for every class from features, annotated positives
// and unknown rows. Positives must be annotated at random (SCAR): an estimate is a label frequency turned round.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {

struct ClassPriors {
  std::vector<double> annotated;  ///< share of the rows that is annotated positive, per class
  std::vector<double> prior;      ///< estimated share that is positive, per class; never less
  double multiple = 1;            ///< positives per annotation, pooled over the classes
};

struct PriorEvidence;

/// An estimator that works class by class; estimate_priors makes its answers robust.
struct PriorEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  bool needs_scores;  ///< works on scores of rows that the scorer was not fitted on; otherwise on the features
  /// Share of the rows that is positive. Called with at least one row annotated and one not.
  double (*estimate)(const PriorEvidence& evidence);
};

std::span<const PriorEntry> prior_estimators();
const PriorEntry& find_prior_estimator(std::string_view name);

/// Estimates from the given rows (a random part of them if there are more than 50 000). A class with n annotations gets
/// exp((n log m + 20 log M) / (n + 20)) times its annotated share, with its own multiple m = estimate / annotated share
/// and the multiple M pooled over the classes with at least 20 annotations (all of them, if none has so many). A class
/// without annotations gets 0: nothing says that it occurs.
ClassPriors estimate_priors(const FeatureMatrix& features, const Labels& labels, std::span<const std::int64_t> rows,
                            std::string_view estimator, std::uint64_t seed);

}  // namespace mlpac
