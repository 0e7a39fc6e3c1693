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

double bound_of_prior(const ScoreCurve& curve) {
  constexpr double kMost = 0.5;  // where nothing bounds it, more would make "always TRUE" look good
  const auto sum = [](const std::vector<std::int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  };
  const auto positives = static_cast<double>(sum(curve.annotated));
  const auto total = static_cast<double>(sum(curve.entries));
  if (positives == 0) return kMost;
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
  constexpr double kUsual = 0.8;  // precision that the surest predictions really have, see docs/how-mlpac-works.md
  return std::max(std::min(kUsual * bound, kMost), positives / total);
}

namespace {

constexpr std::int64_t kMiddleEdge = ScoreCurve::kBins / 2;
constexpr auto kMiddle = static_cast<double>(kMiddleEdge);

double log_odds_of(std::size_t edge) { return (static_cast<double>(edge) - kMiddle) / ScoreCurve::kBinsPerUnit; }

/// Shares of a curve's counts above each edge, from the lowest to the one above the last bin.
std::vector<double> above(const std::vector<std::int64_t>& counts) {
  std::vector<double> shares(counts.size() + 1, 0);
  for (std::size_t edge = counts.size(); edge-- > 0;) {
    shares[edge] = shares[edge + 1] + static_cast<double>(counts[edge]);
  }
  const double total = shares.front();
  for (double& share : shares) share = total > 0 ? share / total : 0;
  return shares;
}

}  // namespace

double best_threshold(const ScoreCurve& curve, double prior) {
  constexpr double kMost = 0.75;  // of all entries; more would be "always TRUE"
  constexpr double kWidth = 0.5;  // of log-odds
  const auto positives =
      static_cast<double>(std::accumulate(curve.annotated.begin(), curve.annotated.end(), std::int64_t{0}));
  if (positives == 0) return 0;
  const auto recalls = above(curve.annotated);
  const auto rates = above(curve.entries);
  const auto smooth = [&](std::size_t edge) {
    double sum = 0;
    double weights = 0;
    for (std::size_t other = 0; other < rates.size(); ++other) {
      const double distance = (log_odds_of(other) - log_odds_of(edge)) / kWidth;
      const double weight = std::exp(-0.5 * distance * distance);
      sum += weight * estimated_f1(recalls[other], rates[other], prior, positives);
      weights += weight;
    }
    return sum / weights;
  };
  std::size_t best = rates.size() / 2;
  while (best + 1 < rates.size() && rates[best] > kMost && rates[best + 1] > 0) ++best;
  for (std::size_t edge = 0; edge < rates.size(); ++edge) {
    if (rates[edge] > 0 && rates[edge] <= kMost && smooth(edge) > smooth(best)) best = edge;
  }
  return log_odds_of(best);
}

double rate_above(const ScoreCurve& curve, double threshold) {
  const auto edge = std::clamp(std::llround(threshold * ScoreCurve::kBinsPerUnit + kMiddle), 0LL,
                               static_cast<long long>(ScoreCurve::kBins));
  return above(curve.entries)[static_cast<std::size_t>(edge)];
}

double threshold_of_rate(const ScoreCurve& curve, double rate) {
  const auto rates = above(curve.entries);
  const auto distance = [&](double other) { return std::abs(std::log((other + 1e-9) / (rate + 1e-9))); };
  const auto nearest =
      std::min_element(rates.begin(), rates.end(), [&](double a, double b) { return distance(a) < distance(b); });
  return log_odds_of(static_cast<std::size_t>(nearest - rates.begin()));
}

}  // namespace mlpac
