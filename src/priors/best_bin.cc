// Best Bin Estimation: Garg, Wu, Smola, Balakrishnan, Lipton, "Mixture Proportion Estimation and PU Learning: A Modern
// Approach", NeurIPS 2021, algorithm 1. Above any score lie a share q_u of all rows and q_p of the annotated ones, and
// q_u / q_p >= prior with equality where only positives lie above. The threshold is the one with the least upper
// confidence bound of the ratio, so that a few lucky rows at the top do not decide.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "priors/priors.h"

namespace mlpac {

double best_bin(const PriorEvidence& evidence) {
  constexpr double kDelta = 0.1;  // both as in their experiments
  constexpr double kGamma = 0.01;
  const auto& scores = evidence.scores;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const auto rows = static_cast<double>(scores.size());
  const double positives = evidence.share() * rows;
  const double deviation = std::sqrt(std::log(4 / kDelta) / 2);
  const double margin = (1 + kGamma) * (deviation / std::sqrt(rows) + deviation / std::sqrt(positives));
  double least = std::numeric_limits<double>::infinity();
  double prior = 1;
  double hits = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    hits += evidence.annotated[order[i]];
    if (i + 1 < order.size() && scores[order[i + 1]] == scores[order[i]]) continue;  // ties are on the same side
    if (hits == 0) continue;
    const double q_p = hits / positives;
    const double q_u = static_cast<double>(i + 1) / rows;
    const double bound = (q_u + margin) / q_p;
    if (bound < least) {
      least = bound;
      prior = q_u / q_p;
    }
  }
  return prior;
}

}  // namespace mlpac
