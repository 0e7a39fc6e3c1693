// What --prior says: the share of positives of every class that a method is told.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/feature_view.h"
#include "mlpac/class_prior.h"
#include "mlpac/options.h"

namespace mlpac {

/// What priors may be taken from.
struct PriorSources {
  const Labels& annotated;
  const Labels* truth = nullptr;          ///< complete labels; null: not known
  const FeatureView* features = nullptr;  ///< null: there are none to estimate from
  std::span<const std::string> label_names{};
  std::span<const std::int64_t> rows{};  ///< of the label matrix that count
  std::uint64_t seed = 0;
};

/// The estimator that --prior estimate[:NAME] names; none if it says something else.
std::optional<std::string> estimator_of(const Options& options);

/// One prior per class as --prior says, at least the annotated share and at most 1; empty if the option is not set.
/// UsageError for a value that cannot be used here, Error for a bad file.
std::vector<double> resolve_prior(const Options& options, const PriorSources& sources);

/// Share of the rows that is annotated positive, per class.
std::vector<double> positive_shares(const Labels& labels, std::span<const std::int64_t> rows);

}  // namespace mlpac
