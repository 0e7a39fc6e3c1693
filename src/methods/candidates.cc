#include "methods/candidates.h"

#include <algorithm>

namespace mlpac {

std::size_t leader(std::span<const double> scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::vector<std::size_t> hopeless(std::span<const double> scores, const Clock& clock, std::int64_t reach) {
  const std::int64_t done = clock.epoch + 1;
  const std::size_t best = leader(scores);
  if (6 * done < clock.epochs || scores.empty() || scores[best] <= 0) return {};
  const auto near = static_cast<std::size_t>(2 * done < clock.epochs ? reach : std::max<std::int64_t>(0, reach - 1));
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i + near < best || best + near < i) result.push_back(i);
  }
  return result;
}

std::int64_t reach_of_weights(const Options& options) {
  const auto given = options.integer("reach");
  return given > 0 ? given : 2;
}

std::int64_t reach_of_w(const MethodContext& context) {
  const auto given = context.options.integer("reach");
  if (given > 0) return given;
  return context.folds > 1 ? 1 : 2;
}

double mean_positives(const MethodContext& context) {
  std::int64_t count = 0;
  for (const std::int64_t row : context.train_rows) {
    for (const auto& entry : context.annotated.row(row)) count += entry.state == kAnnotated ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, context.train_rows.size()));
}

}  // namespace mlpac
