// Statistics of runs that differ by the seed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mlpac {

struct Spread {
  double mean = 0;
  std::optional<double> deviation;  ///< of the sample; nothing for one value
};

/// Nothing without values.
std::optional<Spread> spread(std::span<const double> values);

/// Mean of paired differences and its 95 % t-interval.
struct Interval {
  double mean = 0;
  std::optional<double> half;  ///< half of its width; nothing for one value
  std::size_t count = 0;

  /// Only then is one side called better.
  bool excludes_zero() const;
};

std::optional<Interval> interval(std::span<const double> differences);

/// A number rounded to decimal digits, as it would be printed.
double rounded(double value, int digits);

}  // namespace mlpac
