#include "images/augment_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/clones.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

using Table = std::array<std::uint8_t, 256>;
using Histogram = std::array<std::int64_t, 256>;

std::uint8_t to_byte(double value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)); }

template <typename Function>
Table table_of(const Function& function) {
  Table table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = function(static_cast<int>(i));
  return table;
}

Image mapped(const Image& image, const std::array<Table, 3>& tables) {
  Image result = image;
  for (std::size_t i = 0; i + 2 < result.rgb.size(); i += 3) {
    std::uint8_t* const pixel = result.rgb.data() + i;
    for (std::size_t c = 0; c < 3; ++c) pixel[c] = tables[c][pixel[c]];
  }
  return result;
}

template <typename Function>
Image mapped_alike(const Image& image, const Function& function) {
  const Table table = table_of(function);
  return mapped(image, {table, table, table});
}

/// A table for each channel, made from how often each value occurs.
template <typename Function>
Image mapped_by_histogram(const Image& image, const Function& table_for) {
  std::array<Histogram, 3> histograms{};
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) {
    for (std::size_t c = 0; c < 3; ++c) ++histograms[c][image.rgb[i + c]];
  }
  return mapped(image, {table_for(histograms[0]), table_for(histograms[1]), table_for(histograms[2])});
}

constexpr std::uint8_t same(int value) { return static_cast<std::uint8_t>(value); }

/// ITU-R 601 with weights of 16 bits.
std::uint8_t luminance(const std::uint8_t* pixel) {
  return static_cast<std::uint8_t>((pixel[0] * 19595U + pixel[1] * 38470U + pixel[2] * 7471U + 0x8000U) >> 16U);
}

MLPAC_CLONES void blend_bytes(std::uint8_t* from, const std::uint8_t* to, float factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = to[i] - from[i];
    const float value = static_cast<float>(from[i]) + factor * static_cast<float>(difference);
    from[i] = static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
  }
}

/// A row without its first and last pixel, each byte mixed with its eight neighbours of the same channel.
MLPAC_CLONES void smooth_row(const std::uint8_t* row, std::ptrdiff_t line, std::ptrdiff_t count, std::uint8_t* out) {
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::uint8_t* const above = row + i - line;
    const std::uint8_t* const at = row + i;
    const std::uint8_t* const below = row + i + line;
    const int sum = above[-3] + above[0] + above[3] + at[-3] + 5 * at[0] + at[3] + below[-3] + below[0] + below[3];
    out[i] = static_cast<std::uint8_t>((2 * sum + 13) / 26);
  }
}

}  // namespace

Image invert(const Image& image) {
  return mapped_alike(image, [](int value) { return same(255 - value); });
}

Image posterize(const Image& image, int bits) {
  const int mask = 0xFF & (0xFF << (8 - std::clamp(bits, 0, 8)));
  return mapped_alike(image, [&](int value) { return same(value & mask); });
}

Image solarize(const Image& image, double threshold) {
  return mapped_alike(image, [&](int value) { return same(value < threshold ? value : 255 - value); });
}

Image auto_contrast(const Image& image) {
  return mapped_by_histogram(image, [](const Histogram& histogram) {
    const auto used = [](std::int64_t count) { return count > 0; };
    const auto low = std::find_if(histogram.begin(), histogram.end(), used) - histogram.begin();
    const auto high = histogram.rend() - std::find_if(histogram.rbegin(), histogram.rend(), used) - 1;
    if (high <= low) return table_of(same);
    const double scale = 255.0 / static_cast<double>(high - low);
    const double offset = -static_cast<double>(low) * scale;
    return table_of([&](int value) { return to_byte(value * scale + offset); });
  });
}

Image equalize(const Image& image) {
  return mapped_by_histogram(image, [](const Histogram& histogram) {
    std::int64_t total = 0;
    std::int64_t last = 0;
    for (const std::int64_t count : histogram) {
      total += count;
      if (count > 0) last = count;
    }
    const std::int64_t step = (total - last) / 255;
    if (step == 0) return table_of(same);
    std::int64_t sum = step / 2;
    Table table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i] = static_cast<std::uint8_t>(std::min(sum / step, std::int64_t{255}));
      sum += histogram[i];
    }
    return table;
  });
}

Image uniform(const Image& image, std::uint8_t value) {
  return {image.width, image.height, std::vector<std::uint8_t>(image.rgb.size(), value)};
}

Image grey(const Image& image) {
  Image result = image;
  for (std::size_t i = 0; i + 2 < result.rgb.size(); i += 3) {
    std::fill_n(result.rgb.data() + i, 3, luminance(image.rgb.data() + i));
  }
  return result;
}

Image mean_grey(const Image& image) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) sum += luminance(image.rgb.data() + i);
  const double pixels = static_cast<double>(std::max(image.rgb.size() / 3, std::size_t{1}));
  return uniform(image, to_byte(static_cast<double>(sum) / pixels + 0.5));
}

Image smooth(const Image& image) {
  Image result = image;
  const auto line = static_cast<std::ptrdiff_t>(image.width) * 3;
  for (std::ptrdiff_t y = 1; y + 1 < image.height; ++y) {
    smooth_row(image.rgb.data() + y * line + 3, line, line - 6, result.rgb.data() + y * line + 3);
  }
  return result;
}

Image blend(Image from, const Image& to, double factor) {
  blend_bytes(from.rgb.data(), to.rgb.data(), static_cast<float>(factor), from.rgb.size());
  return from;
}

}  // namespace mlpac
