// Fractions of counts, checked and rounded the same way wherever rows or labels are drawn.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>

#include "mlpac/error.h"

namespace mlpac {

/// A fraction of a count, rounded down; the small term keeps 0.3 * 10 = 2.9999... from becoming 2.
inline std::int64_t part_of(std::int64_t count, double fraction) {
  return static_cast<std::int64_t>(std::floor(fraction * static_cast<double>(count) + 1e-9));
}

/// Throws UsageError unless the fraction is between 0 and 1.
inline void check_fraction(double fraction, std::string_view what) {
  if (!(fraction >= 0 && fraction <= 1)) throw UsageError(fmt::format("{} is {}, expected 0 to 1", what, fraction));
}

}  // namespace mlpac
