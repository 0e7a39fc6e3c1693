// Control of w, the weight of the global reward against the local one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mlpac/rewards.h"

namespace mlpac {

struct WeightPlan {
  enum class Kind { automatic, constant, linear, list };
  Kind kind = Kind::automatic;
  std::vector<double> values;  ///< automatic: none, or from, to; constant: one; linear: from, to; list: one per epoch
  double share = 1;            ///< linear: share of the epochs after which the last value is reached
  bool cyclic = false;         ///< list: start again at its end instead of staying there
};

/// "auto", "auto:0.25:4", "10", "linear:12:10:0.33", "list:12,11.5,11", "list:12,11.5,11:cyclic"; UsageError otherwise.
WeightPlan parse_weight(std::string_view text);

/// w in an epoch (from 0); not for automatic plans.
double weight_at(const WeightPlan& plan, std::int64_t epoch, std::int64_t epochs);

/// The natural unit of w: where, for a critic that is sure of "negative" everywhere, the pull of an annotation balances
/// the push of one unknown entry. `positives` is the mean number of annotations of a row.
double weight_unit(const RewardSpec& spec, double positives, std::int64_t classes);

/// `count` values of w that automatic control compares, each larger than the one before by the same factor: `unit`
/// times 2, 4, 8, ..., or from the first to the last value of the plan.
std::vector<double> weight_candidates(const WeightPlan& plan, double unit, std::int64_t count);

}  // namespace mlpac
