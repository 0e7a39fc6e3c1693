// Bilinear resizing in two directions, columns first, with weights in fixed point as Pillow uses them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/clones.h"
#include "mlpac/error.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

/// Eight bits of the sum are the pixel and two keep it from overflowing.
constexpr int kFraction = 32 - 8 - 2;
constexpr std::int32_t kHalf = std::int32_t{1} << (kFraction - 1);

/// For each new position along one side: the old ones it is made of and their weights, which add up to 2^kFraction.
struct Taps {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> count;
  std::size_t stride = 0;
  std::vector<std::int32_t> weights;  ///< `stride` for each position

  std::span<const std::int32_t> of(std::size_t position) const {
    return {weights.data() + position * stride, static_cast<std::size_t>(count[position])};
  }
};

Taps triangle_taps(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double support = std::max(scale, 1.0);  // enlarging interpolates between neighbours, whatever the factor
  Taps taps;
  taps.stride = static_cast<std::size_t>(std::ceil(support)) * 2 + 1;
  taps.weights.resize(taps.stride * static_cast<std::size_t>(to));
  std::vector<double> weights;
  for (int position = 0; position < to; ++position) {
    const double centre = (position + 0.5) * scale;
    const int first = std::max(static_cast<int>(std::lround(centre - support)), 0);
    const int end = std::min(static_cast<int>(std::lround(centre + support)), from);
    weights.clear();
    double sum = 0;
    for (int old = first; old < end; ++old) {
      weights.push_back(std::max(0.0, 1.0 - std::abs((old - centre + 0.5) / support)));
      sum += weights.back();
    }
    taps.first.push_back(first);
    taps.count.push_back(end - first);
    std::int32_t* fixed = taps.weights.data() + taps.stride * static_cast<std::size_t>(position);
    for (const double weight : weights) {
      *fixed++ = static_cast<std::int32_t>(std::lround(weight / sum * (std::int32_t{1} << kFraction)));
    }
  }
  return taps;
}

/// Rounded weights may add up to a bit more than one.
std::uint8_t to_byte(std::int32_t sum) { return static_cast<std::uint8_t>(std::min(sum >> kFraction, 255)); }

/// The channels of a pixel, and what follows it, in one register.
using Four = std::int32_t __attribute__((vector_size(16)));

/// Numbers of a row while its width changes; one more than the row has, since pixels are moved by four numbers.
struct RowSums {
  std::vector<std::int32_t> old;
  std::vector<std::int32_t> made;
};

/// One row of `line` bytes in another width.
MLPAC_CLONES void blend_columns(const std::uint8_t* row, std::size_t line, const Taps& taps, std::size_t width,
                                RowSums& sums, std::uint8_t* out) {
  std::int32_t* const old = sums.old.data();
  std::int32_t* const made = sums.made.data();
  const std::int32_t* const first = taps.first.data();
  const std::int32_t* const count = taps.count.data();
  const std::int32_t* weights = taps.weights.data();
  for (std::size_t i = 0; i < line; ++i) old[i] = row[i];
  for (std::size_t x = 0; x < width; ++x, weights += taps.stride) {
    const std::int32_t* pixel = old + std::ptrdiff_t{3} * first[x];
    Four sum{kHalf, kHalf, kHalf, kHalf};
    for (std::int32_t i = 0; i < count[x]; ++i, pixel += 3) {
      Four value;
      std::memcpy(&value, pixel, sizeof value);
      sum += value * weights[i];
    }
    std::memcpy(made + 3 * x, &sum, sizeof sum);  // the fourth number is that of the next pixel, which comes later
  }
  for (std::size_t i = 0; i < 3 * width; ++i) out[i] = to_byte(made[i]);
}

Image with_width(const Image& image, int width) {
  const Taps taps = triangle_taps(image.width, width);
  Image result{width, image.height, {}};
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  const std::size_t new_line = std::size_t{3} * static_cast<std::size_t>(width);
  result.rgb.resize(new_line * static_cast<std::size_t>(image.height));
  RowSums sums{std::vector<std::int32_t>(line + 1), std::vector<std::int32_t>(new_line + 1)};
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
    blend_columns(image.rgb.data() + line * y, line, taps, static_cast<std::size_t>(width), sums,
                  result.rgb.data() + new_line * y);
  }
  return result;
}

/// A row made of several, `line` bytes apart.
MLPAC_CLONES void blend_rows(const std::uint8_t* rows, std::size_t line, const std::int32_t* weights, std::size_t count,
                             std::uint8_t* out) {
  constexpr std::size_t kBlock = 64;
  std::size_t i = 0;
  for (; i + kBlock <= line; i += kBlock) {
    std::array<std::int32_t, kBlock> sums;
    sums.fill(kHalf);
    for (std::size_t row = 0; row < count; ++row) {
      const std::uint8_t* const from = rows + row * line + i;
      for (std::size_t k = 0; k < kBlock; ++k) sums[k] += from[k] * weights[row];
    }
    for (std::size_t k = 0; k < kBlock; ++k) out[i + k] = to_byte(sums[k]);
  }
  for (; i < line; ++i) {
    std::int32_t sum = kHalf;
    for (std::size_t row = 0; row < count; ++row) sum += rows[row * line + i] * weights[row];
    out[i] = to_byte(sum);
  }
}

Image with_height(const Image& image, int height) {
  const Taps taps = triangle_taps(image.height, height);
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  Image result{image.width, height, {}};
  result.rgb.resize(line * static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    const auto weights = taps.of(y);
    blend_rows(image.rgb.data() + line * static_cast<std::size_t>(taps.first[y]), line, weights.data(), weights.size(),
               result.rgb.data() + line * y);
  }
  return result;
}

}  // namespace

Image resize(const Image& image, int width, int height) {
  const bool fits = width > 0 && height > 0 && width <= kLongestImageSide && height <= kLongestImageSide &&
                    std::int64_t{width} * height <= kMostImagePixels;
  if (!fits || image.width <= 0 || image.height <= 0) {
    throw Error(
        fmt::format("an image of {} x {} pixels cannot become {} x {}, expected positive sides and at most {} "
                    "million pixels",
                    image.width, image.height, width, height, kMostImagePixels / 1'000'000));
  }
  Image result;
  const bool same_width = width == image.width;
  if (!same_width) result = with_width(image, width);
  if (height != image.height) return with_height(same_width ? image : result, height);
  return same_width ? image : result;
}

}  // namespace mlpac
