// Bilinear resizing in two directions, columns first, with weights in fixed point as Pillow uses them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

std::uint8_t to_byte(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kFraction, 0, 255));  // rounded weights may add up to a bit more
}

Image with_width(const Image& image, int width) {
  const Taps taps = triangle_taps(image.width, width);
  Image result{width, image.height, {}};
  result.rgb.resize(std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(image.height));
  std::uint8_t* out = result.rgb.data();
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* const row = image.rgb.data() + line * static_cast<std::size_t>(y);
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      const std::uint8_t* pixel = row + std::size_t{3} * static_cast<std::size_t>(taps.first[x]);
      std::int32_t red = kHalf;
      std::int32_t green = kHalf;
      std::int32_t blue = kHalf;
      for (const std::int32_t weight : taps.of(x)) {
        red += pixel[0] * weight;
        green += pixel[1] * weight;
        blue += pixel[2] * weight;
        pixel += 3;
      }
      *out++ = to_byte(red);
      *out++ = to_byte(green);
      *out++ = to_byte(blue);
    }
  }
  return result;
}

Image with_height(const Image& image, int height) {
  const Taps taps = triangle_taps(image.height, height);
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  Image result{image.width, height, {}};
  result.rgb.resize(line * static_cast<std::size_t>(height));
  std::vector<std::int32_t> sums(line);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    std::fill(sums.begin(), sums.end(), kHalf);
    const std::uint8_t* row = image.rgb.data() + line * static_cast<std::size_t>(taps.first[y]);
    for (const std::int32_t weight : taps.of(y)) {
      for (std::size_t i = 0; i < line; ++i) sums[i] += row[i] * weight;
      row += line;
    }
    std::transform(sums.begin(), sums.end(), result.rgb.data() + line * y, to_byte);
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
