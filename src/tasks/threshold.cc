#include "tasks/threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/number_in.h"
#include "mlpac/error.h"
#include "mlpac/thresholds.h"

namespace mlpac {

namespace {

double probability_of(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// A model that was trained again on all rows is not the one that was scored: should it say TRUE far more or far less
/// often, its thresholds are moved by so much (log-odds) that the share that was scored is kept.
double correction(double threshold, double rate, const Problem& problem, const Model::Content& content) {
  const std::array<Network*, 1> networks{content.network.get()};
  const auto now = tally_decisions(*problem.train, all_items(*problem.train), problem.annotated, problem.decision,
                                   networks, content.sweep)
                       .front()
                       .curve;
  content.network->eval();
  const double actual = rate_above(now, threshold);
  return actual > 3 * rate || 3 * actual < rate ? threshold_of_rate(now, rate) - threshold : 0;
}

}  // namespace

ThresholdRule::ThresholdRule(const Options& options) {
  const auto& text = options.text("threshold");
  per_class_ = text == "per-class";
  if (per_class_ || text == "auto") return;
  given_ = number_in(text);
  if (!given_ || !(*given_ > 0 && *given_ < 1)) {
    throw UsageError(fmt::format("--threshold: expected auto, per-class or a number between 0 and 1, got '{}'", text));
  }
}

Thresholds ThresholdRule::choose(const Outcome& outcome, const Problem& problem, const Model::Content& content) const {
  Thresholds result;
  result.common = given_.value_or(0.5);
  result.thresholds.assign(content.labels.size(), result.common);
  if (given_) return result;
  const double threshold =
      outcome.rate ? threshold_of_rate(outcome.curve, *outcome.rate) : best_threshold(outcome.curve, outcome.prior);
  const double rate = rate_above(outcome.curve, threshold);
  if (rate == 0) return result;  // no row was set aside, or nothing was TRUE on them: there is nothing to go by
  const double shift = correction(threshold, rate, problem, content);
  result.common = probability_of(threshold + shift);
  std::fill(result.thresholds.begin(), result.thresholds.end(), result.common);
  if (!per_class_) return result;
  const auto own = class_thresholds(outcome.class_curves, threshold, outcome.prior);
  for (std::size_t c = 0; c < own.size(); ++c) {
    result.thresholds[c] = probability_of(own[c] + shift);
    result.own += own[c] != threshold ? 1 : 0;
  }
  return result;
}

}  // namespace mlpac
