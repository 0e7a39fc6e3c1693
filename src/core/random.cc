#include "core/random.h"

#include <cmath>
#include <numbers>

namespace mlpac {

double normal_at(std::uint64_t key, std::uint64_t index) {
  const double radius = 1.0 - unit_double(bits_at(key, 2 * index));  // in (0, 1]
  const double angle = unit_double(bits_at(key, 2 * index + 1));
  return std::sqrt(-2.0 * std::log(radius)) * std::cos(2.0 * std::numbers::pi * angle);
}

namespace {

/// The logarithm of a draw from Gamma(shape): Marsaglia & Tsang 2000. A shape below 1 is raised by 1 and the draw
/// multiplied by u^(1 / shape), which needs the logarithm to stay a number.
double log_gamma_at(std::uint64_t key, double shape) {
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  const double raised = shape < 1 ? std::log(1.0 - unit_double(bits_at(key, 0))) / shape : 0;
  for (std::uint64_t i = 1;; ++i) {
    const double x = normal_at(key, 2 * i);
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    const double u = 1.0 - unit_double(bits_at(key, 4 * i + 2));
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return std::log(d * v) + raised;
  }
}

}  // namespace

double beta_at(std::uint64_t key, double shape) {
  const double difference = log_gamma_at(mix64(key), shape) - log_gamma_at(mix64(key + kGolden), shape);
  return 1 / (1 + std::exp(-difference));
}

}  // namespace mlpac
