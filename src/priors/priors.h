// What estimators of class priors are given. One function per file; the table in table.cc is the only place that lists
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/feature_view.h"
#include "mlpac/class_prior.h"
#include "priors/binned_columns.h"

namespace mlpac {

/// One class of the rows under consideration.
struct PriorEvidence {
  std::span<const std::uint8_t> annotated;  ///< 1: annotated positive
  std::span<const float> scores;            ///< log-odds of being annotated; only if the estimator needs them
  const BinnedColumns* columns = nullptr;   ///< the features; only if it does not
  std::uint64_t key = 0;                    ///< of random draws

  double share() const;  ///< that is annotated
};

/// Decision trees look for a part of the data in which as many rows as possible are annotated: that share is a lower
/// bound of the label frequency.
double tice(const PriorEvidence& evidence);
/// The share of rows above a score over the share of annotated rows above it, where that ratio is surely small.
double best_bin(const PriorEvidence& evidence);
/// Mean probability of being annotated of annotated rows: the label frequency if classes do not overlap.
double elkan_noto(const PriorEvidence& evidence);

/// Log-odds of being annotated from logistic regressions on the features, each row scored by one that was not fitted on
/// it. `annotated` and the result are [rows x classes].
std::vector<float> held_out_scores(const FeatureMatrix& features, std::span<const std::uint8_t> annotated,
                                   std::int64_t classes, std::uint64_t key);

/// The same for rows that may lie in a store: those that are looked at, at most 50 000, are copied into memory.
ClassPriors estimate_priors(const FeatureView& features, const Labels& labels, std::span<const std::int64_t> rows,
                            std::string_view estimator, std::uint64_t seed);

}  // namespace mlpac
