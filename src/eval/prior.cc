#include "mlpac/prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "mlpac/metrics.h"

namespace mlpac {

void ScoreCurve::add(const ScoreCurve& other) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    annotated[i] += other.annotated[i];
    entries[i] += other.entries[i];
  }
}

std::size_t ScoreCurve::bin_of(double log_odds) {
  if (std::isnan(log_odds)) return 0;
  const double bin = std::floor(log_odds * kBinsPerUnit) + static_cast<double>(kBins) / 2;
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(kBins - 1)));
}

double ScoreCurve::centre_of(std::size_t bin) {
  return (static_cast<double>(bin) + 0.5 - static_cast<double>(kBins) / 2) / kBinsPerUnit;
}

namespace {

double sum(const std::vector<std::int64_t>& counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

}  // namespace

double bound_of_prior(const ScoreCurve& curve) {
  constexpr double kMost = 0.5;  // where nothing bounds it, more would make "always TRUE" look good
  const double positives = sum(curve.annotated);
  const double total = sum(curve.entries);
  if (positives == 0) return kMost;
  // Fewer hits say little; but where there are thousands, the surest few hundred bound the prior best.
  const double fewest = std::max(std::min(0.2 * positives, 300.0), std::min(20.0, 0.5 * positives));
  double bound = 1;
  std::int64_t hits = 0;
  std::int64_t predicted = 0;
  for (std::size_t bin = curve.entries.size(); bin-- > 0;) {
    hits += curve.annotated[bin];
    predicted += curve.entries[bin];
    if (static_cast<double>(hits) < fewest) continue;
    const double recall = static_cast<double>(hits) / positives;
    const double variance = std::max(recall * (1 - recall), 0.25 / positives) / positives;
    const double low = recall - std::sqrt(variance);
    if (low > 0) bound = std::min(bound, static_cast<double>(predicted) / total / low);
  }
  constexpr double kUsual = 0.8;  // precision that the surest predictions really have, see docs/how-mlpac-works.md
  return std::max(std::min(kUsual * bound, kMost), positives / total);
}

double middle_prior(double annotated_share, double bound) {
  return annotated_share > 0 ? std::sqrt(annotated_share * std::max(annotated_share, bound)) : bound;
}

double middle_prior(const ScoreCurve& curve, double bound) {
  const double total = sum(curve.entries);
  return middle_prior(total > 0 ? sum(curve.annotated) / total : 0, bound);
}

}  // namespace mlpac
