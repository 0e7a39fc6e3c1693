#include "mlpac/thresholds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "mlpac/metrics.h"

namespace mlpac {

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

/// The edge nearest to a threshold.
std::size_t edge_of(double threshold) {
  return static_cast<std::size_t>(std::clamp(std::llround(threshold * ScoreCurve::kBinsPerUnit + kMiddle), 0LL,
                                             static_cast<long long>(ScoreCurve::kBins)));
}

double sum(const std::vector<std::int64_t>& counts, std::size_t from = 0) {
  return static_cast<double>(
      std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(from), counts.end(), std::int64_t{0}));
}

/// The edge of a class whose decisions add most to F1: a hit stands for `multiple` positives and is worth twice that
/// many, an entry that is TRUE costs `f1` (the stationary point of 2 TP / (TRUE + positives)). A gain that is not
/// larger than its standard error is none.
std::size_t best_edge(const ScoreCurve& curve, std::size_t common, double multiple, double f1) {
  std::size_t best = common;
  double most = 0;
  double more = -sum(curve.annotated, common);  // hits more than at the common threshold
  double cost = -f1 * sum(curve.entries, common);
  for (std::size_t edge = curve.entries.size();; --edge) {
    const double error = std::sqrt(std::max(1.0, std::abs(more)));
    const double gain = 2 * multiple * (more - error) - cost;
    if (gain > most) {
      most = gain;
      best = edge;
    }
    if (edge == 0) return best;
    more += static_cast<double>(curve.annotated[edge - 1]);
    cost += f1 * static_cast<double>(curve.entries[edge - 1]);
  }
}

}  // namespace

double best_threshold(const ScoreCurve& curve, double prior) {
  constexpr double kMost = 0.75;  // of all entries; more would be "always TRUE"
  constexpr double kWidth = 0.5;  // of log-odds
  const double positives = sum(curve.annotated);
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

std::vector<double> class_thresholds(std::span<const ScoreCurve> classes, double threshold, double prior) {
  ScoreCurve all;
  for (const auto& curve : classes) all.add(curve);
  const double annotated = sum(all.annotated);
  std::vector<std::size_t> edges(classes.size(), edge_of(threshold));
  if (annotated > 0) {
    const double positives = prior * sum(all.entries);
    const double multiple = positives / annotated;
    for (int round = 0; round < 5; ++round) {  // thresholds and the F1 they reach depend on each other
      double hits = 0;
      double predicted = 0;
      for (std::size_t c = 0; c < classes.size(); ++c) {
        hits += sum(classes[c].annotated, edges[c]);
        predicted += sum(classes[c].entries, edges[c]);
      }
      const double f1 = 2 * multiple * hits / (predicted + positives);
      for (std::size_t c = 0; c < classes.size(); ++c) {
        edges[c] = best_edge(classes[c], edge_of(threshold), multiple, f1);
      }
    }
  }
  std::vector<double> result;
  result.reserve(edges.size());
  for (const std::size_t edge : edges) result.push_back(edge == edge_of(threshold) ? threshold : log_odds_of(edge));
  return result;
}

double rate_above(const ScoreCurve& curve, double threshold) { return above(curve.entries)[edge_of(threshold)]; }

double threshold_of_rate(const ScoreCurve& curve, double rate) {
  const auto rates = above(curve.entries);
  const auto distance = [&](double other) { return std::abs(std::log((other + 1e-9) / (rate + 1e-9))); };
  const auto nearest =
      std::min_element(rates.begin(), rates.end(), [&](double a, double b) { return distance(a) < distance(b); });
  return log_odds_of(static_cast<std::size_t>(nearest - rates.begin()));
}

double recall_around(const ScoreCurve& curve, double rate) {
  constexpr int kSteps = 4;       // on each side
  constexpr double kWidth = 1.5;  // the largest share over the one in the middle
  const auto rates = above(curve.entries);
  const auto recalls = above(curve.annotated);
  double sum = 0;
  for (int step = -kSteps; step <= kSteps; ++step) {
    const double wanted = std::min(1.0, rate * std::pow(kWidth, static_cast<double>(step) / kSteps));
    std::size_t edge = 0;  // the last one above which as much lies
    while (edge + 1 < rates.size() && rates[edge + 1] >= wanted) ++edge;
    if (edge + 1 == rates.size()) continue;  // nothing is asked for
    const double part = (wanted - rates[edge + 1]) / (rates[edge] - rates[edge + 1]);
    sum += recalls[edge + 1] + part * (recalls[edge] - recalls[edge + 1]);
  }
  return sum / (2 * kSteps + 1);
}

double mean_log_rank(std::span<const ScoreCurve> classes) {
  double sum = 0;
  double counted = 0;
  for (const auto& curve : classes) {
    const auto positives = std::accumulate(curve.annotated.begin(), curve.annotated.end(), std::int64_t{0});
    const auto total = std::accumulate(curve.entries.begin(), curve.entries.end(), std::int64_t{0});
    if (positives == 0) continue;
    double own = 0;
    double above = 0;
    for (std::size_t bin = curve.entries.size(); bin-- > 0;) {
      const auto entries = static_cast<double>(curve.entries[bin]);
      const double rank = above + entries / 2;  // the entries of a bin are in any order
      if (curve.annotated[bin] > 0) {
        own -= static_cast<double>(curve.annotated[bin]) * std::log(rank / static_cast<double>(total));
      }
      above += entries;
    }
    sum += own / static_cast<double>(positives);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

}  // namespace mlpac
