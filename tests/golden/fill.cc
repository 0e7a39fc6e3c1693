#include "fill.h"

#include <ATen/ATen.h>

namespace mlpac::golden {

namespace {

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

at::Tensor fill(const std::string& name, at::IntArrayRef shape, std::uint64_t seed, const std::string& kind,
                float scale) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;
  const std::uint64_t key = fnv1a(name) ^ (seed * kStep);
  const auto result = at::zeros(shape, at::kFloat);
  auto* const values = result.data_ptr<float>();
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    std::uint64_t z = key + static_cast<std::uint64_t>(i + 1) * kStep;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    const float u = static_cast<float>(z >> 40U) * 0x1p-24F;
    if (kind == "unit") values[i] = u;
    if (kind == "sym") values[i] = scale * (2 * u - 1);
    if (kind == "pos") values[i] = 0.5F + u;
    if (kind == "signed") values[i] = (z & 3U) == 0 ? -(0.5F + u) : 0.5F + u;
  }
  return result;
}

}  // namespace mlpac::golden
