#include "experiment/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>

namespace mlpac {
namespace {

// 97.5 % quantiles of Student's t distribution with 1, 2, ... degrees of freedom.
constexpr std::array kQuantiles{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

}  // namespace

std::optional<Spread> spread(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;
  Spread result{mean, std::nullopt};
  if (values.size() > 1) {
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    result.deviation = std::sqrt(squares / (count - 1));
  }
  return result;
}

bool Interval::excludes_zero() const { return half && std::abs(mean) > *half + 1e-9; }  // but for rounding

std::optional<Interval> interval(std::span<const double> differences) {
  const auto found = spread(differences);
  if (!found) return std::nullopt;
  Interval result{found->mean, std::nullopt, differences.size()};
  if (found->deviation) {
    const auto freedom = std::min(differences.size() - 1, kQuantiles.size());
    result.half = kQuantiles[freedom - 1] * *found->deviation / std::sqrt(static_cast<double>(differences.size()));
  }
  return result;
}

double rounded(double value, int digits) { return std::strtod(fmt::format("{:.{}f}", value, digits).c_str(), nullptr); }

}  // namespace mlpac
