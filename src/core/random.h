// Keyed random draws. A draw is a pure function of (seed, stream, epoch, row, index): nothing is consumed, so results
// do not depend on how rows are spread over batches or processes, and resuming needs no generator state.
#pragma once

#include <cstdint>
#include <string_view>

namespace mlpac {

/// FNV-1a of a name; the basis of stream keys.
constexpr std::uint64_t fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

/// The finaliser of SplitMix64.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9ULL;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Element `index` of the sequence that belongs to `key`.
constexpr std::uint64_t bits_at(std::uint64_t key, std::uint64_t index) { return mix64(key + (index + 1) * kGolden); }

/// Uniform in [0, 1) with 24 bits: exact in float32.
constexpr float unit_float(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24F; }
/// Uniform in [0, 1) with 53 bits.
constexpr double unit_double(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Key of a named stream of a seed.
constexpr std::uint64_t stream_key(std::uint64_t seed, std::string_view stream) {
  return fnv1a64(stream) ^ (seed * kGolden);
}
/// Key of one row of a stream in one epoch.
constexpr std::uint64_t row_key(std::uint64_t stream, std::uint64_t epoch, std::uint64_t row) {
  return mix64(mix64(stream + kGolden * (epoch + 1)) ^ (row * 0xD6E8FEB86659FD93ULL + 0xA0761D6478BD642FULL));
}

/// A standard normal draw (Box-Muller on elements 2*index and 2*index + 1).
double normal_at(std::uint64_t key, std::uint64_t index);

/// A draw from Beta(shape, shape); uses up the sequence of the key.
double beta_at(std::uint64_t key, double shape);

}  // namespace mlpac
