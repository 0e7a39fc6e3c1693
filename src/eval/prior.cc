#include "mlpac/prior.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace mlpac {

void ScoreCurve::add(const ScoreCurve& other) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    annotated[i] += other.annotated[i];
    entries[i] += other.entries[i];
  }
}

double bound_of_prior(const ScoreCurve& curve) {
  const auto sum = [](const std::vector<std::int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  };
  const auto positives = static_cast<double>(sum(curve.annotated));
  const auto total = static_cast<double>(sum(curve.entries));
  if (positives == 0) return 1;
  const double fewest = std::max(0.1 * positives, std::min(10.0, 0.5 * positives));  // fewer hits say little
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
  return std::max(bound, positives / total);
}

}  // namespace mlpac
