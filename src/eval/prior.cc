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
  const double fewest = std::max(0.2 * positives, std::min(20.0, 0.5 * positives));  // fewer hits say little
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

double best_threshold(const ScoreCurve& curve, double prior) {
  const auto bins = curve.entries.size();
  const auto total = static_cast<double>(std::accumulate(curve.entries.begin(), curve.entries.end(), std::int64_t{0}));
  const auto all =
      static_cast<double>(std::accumulate(curve.annotated.begin(), curve.annotated.end(), std::int64_t{0}));
  if (all == 0) return 0;
  std::vector<double> scores(bins + 1, 0);  // at the lower edge of each bin, and above the last
  double hits = 0;
  double predicted = 0;
  for (std::size_t edge = bins; edge-- > 0;) {
    hits += static_cast<double>(curve.annotated[edge]);
    predicted += static_cast<double>(curve.entries[edge]);
    scores[edge] = 2 * hits / all * prior / (predicted / total + prior);
  }
  const auto smooth = [&](std::size_t edge) {
    constexpr double kWidth = 0.5;  // of log-odds
    double sum = 0;
    double weights = 0;
    for (std::size_t other = 0; other <= bins; ++other) {
      const double distance =
          (static_cast<double>(other) - static_cast<double>(edge)) / ScoreCurve::kBinsPerUnit / kWidth;
      const double weight = std::exp(-0.5 * distance * distance);
      sum += weight * scores[other];
      weights += weight;
    }
    return sum / weights;
  };
  std::size_t best = bins / 2;
  for (std::size_t edge = 0; edge <= bins; ++edge) {
    if (smooth(edge) > smooth(best)) best = edge;
  }
  return (static_cast<double>(best) - static_cast<double>(bins / 2)) / ScoreCurve::kBinsPerUnit;
}

}  // namespace mlpac
