#include "core/random.h"

#include <cmath>
#include <numbers>

namespace mlpac {

double normal_at(std::uint64_t key, std::uint64_t index) {
  const double radius = 1.0 - unit_double(bits_at(key, 2 * index));  // in (0, 1]
  const double angle = unit_double(bits_at(key, 2 * index + 1));
  return std::sqrt(-2.0 * std::log(radius)) * std::cos(2.0 * std::numbers::pi * angle);
}

}  // namespace mlpac
