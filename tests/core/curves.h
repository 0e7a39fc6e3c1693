// Curves of log-odds with known answers.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "mlpac/prior.h"

namespace mlpac::curves {

constexpr std::size_t kMiddle = ScoreCurve::kBins / 2;

/// Entries whose log-odds are normal: `positives` of `entries` around `gap`, the others around -1; a share of the
/// positives is annotated.
inline ScoreCurve drawn(std::int64_t entries, double prior, double gap, double annotated, std::uint64_t seed) {
  ScoreCurve curve;
  std::uint64_t next = 0;
  const auto uniform = [&] { return (static_cast<double>(bits_at(seed, next++) >> 11U) + 0.5) / 9007199254740992.0; };
  for (std::int64_t i = 0; i < entries; ++i) {
    const bool positive = uniform() < prior;
    const double u = uniform();
    const double v = uniform();
    const double normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    const double z = normal + (positive ? gap : -1);
    const auto bin = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor(z * ScoreCurve::kBinsPerUnit)) + ScoreCurve::kBins / 2, 0,
        ScoreCurve::kBins - 1);
    ++curve.entries[static_cast<std::size_t>(bin)];
    if (positive && uniform() < annotated) ++curve.annotated[static_cast<std::size_t>(bin)];
  }
  return curve;
}

}  // namespace mlpac::curves
