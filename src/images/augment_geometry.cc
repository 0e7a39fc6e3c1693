#include "images/augment_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "kernels/clones.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

Image all_grey(const Image& image) {
  Image result{image.width, image.height, {}};
  result.rgb.assign(image.rgb.size(), 128);
  return result;
}

/// The cubic through four values at -1, 0, 1 and 2, with Pillow's slope.
float cubic(float v0, float v1, float v2, float v3, float at) {
  const float first = v2 - v0;
  const float second = 2 * (v0 - v1) + v2 - v3;
  const float third = -v0 + v1 - v2 + v3;
  return v1 + at * (first + at * (second + at * third));
}

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F)); }

/// Cubics through bytes that lie `stride` apart, for `count` bytes side by side, all at the same place between them.
MLPAC_CLONES void interpolate(const std::uint8_t* from, std::ptrdiff_t stride, float at, std::size_t count,
                              std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i, ++from) {
    out[i] = to_byte(cubic(from[-stride], from[0], from[stride], from[2 * stride], at));
  }
}

/// The same, each at a place of its own.
MLPAC_CLONES void interpolate_each(const std::uint8_t* from, std::ptrdiff_t stride, const float* at, std::size_t count,
                                   std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i, ++from) {
    out[i] = to_byte(cubic(from[-stride], from[0], from[stride], from[2 * stride], at[i]));
  }
}

/// A place along a side whose pixel centres are whole numbers: the pixel before it, and how far it is behind that.
struct Place {
  int pixel;
  float at;
};

Place place_of(double x) {
  const double before = std::floor(x);
  return {static_cast<int>(before), static_cast<float>(x - before)};
}

/// Of four pixels around a place near a border, which goes on outside; `pixel` is the first along that side.
void interpolate_border(const std::uint8_t* pixel, std::ptrdiff_t stride, const Place& place, int side,
                        std::uint8_t* out) {
  std::array<const std::uint8_t*, 4> near{};
  for (int i = 0; i < 4; ++i) {
    near[static_cast<std::size_t>(i)] = pixel + std::clamp(place.pixel - 1 + i, 0, side - 1) * stride;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    out[c] = to_byte(cubic(near[0][c], near[1][c], near[2][c], near[3][c], place.at));
  }
}

/// Numbers with 16 binary digits after the point, as Pillow steps through an image.
std::int64_t fixed_point(double value) { return static_cast<std::int64_t>(std::floor(value * 65536.0 + 0.5)); }

}  // namespace

Image shear_x(const Image& image, double slope) {
  Image result = all_grey(image);
  for (int y = 0; y < image.height; ++y) {
    const double shift = slope * (y + 0.5);
    const auto first = place_of(shift);  // of column 0; the part of a pixel is the same for all
    const std::uint8_t* const line = pixel_at(image, 0, y);
    const int begin = std::max(0, static_cast<int>(std::ceil(-shift - 0.5)));
    const int end = std::max(begin, std::min(image.width, static_cast<int>(std::ceil(image.width - shift - 0.5))));
    // Between these, no border is near.
    const int plain = std::clamp(1 - first.pixel, begin, end);
    const int plain_end = std::clamp(image.width - 2 - first.pixel, plain, end);
    const auto border = [&](int from, int to) {
      for (int x = from; x < to; ++x) {
        interpolate_border(line, 3, {x + first.pixel, first.at}, image.width, pixel_at(result, x, y));
      }
    };
    border(begin, plain);
    if (plain < plain_end) {
      interpolate(pixel_at(image, plain + first.pixel, y), 3, first.at,
                  std::size_t{3} * static_cast<std::size_t>(plain_end - plain), pixel_at(result, plain, y));
    }
    border(plain_end, end);
  }
  return result;
}

Image shear_y(const Image& image, double slope) {
  Image result = all_grey(image);
  std::vector<Place> places;  // where row 0 of each column comes from
  std::vector<float> at;      // of each byte of a row
  for (int x = 0; x < image.width; ++x) {
    places.push_back(place_of(slope * (x + 0.5)));
    at.insert(at.end(), 3, places.back().at);
  }
  const std::ptrdiff_t line = std::ptrdiff_t{3} * image.width;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width;) {
      const auto column = static_cast<std::size_t>(x);
      const int row = y + places[column].pixel;
      int end = x + 1;  // neighbours that come from the same rows
      while (end < image.width && places[static_cast<std::size_t>(end)].pixel == places[column].pixel) ++end;
      if (row >= 1 && row + 2 < image.height) {
        interpolate_each(pixel_at(image, x, row), line, at.data() + 3 * column,
                         std::size_t{3} * static_cast<std::size_t>(end - x), pixel_at(result, x, y));
      } else {
        for (int i = x; i < end; ++i) {
          const double from = y + 0.5 + slope * (i + 0.5);
          if (from < 0 || from >= image.height) continue;
          interpolate_border(pixel_at(image, i, 0), line, {row, places[static_cast<std::size_t>(i)].at}, image.height,
                             pixel_at(result, i, y));
        }
      }
      x = end;
    }
  }
  return result;
}

Image translate(const Image& image, double right, double down) {
  Image result = all_grey(image);
  for (int y = 0; y < image.height; ++y) {
    const double from_y = y + 0.5 + down;
    if (from_y < 0 || from_y >= image.height) continue;
    for (int x = 0; x < image.width; ++x) {
      const double from_x = x + 0.5 + right;
      if (from_x < 0 || from_x >= image.width) continue;
      std::copy_n(pixel_at(image, static_cast<int>(from_x), static_cast<int>(from_y)), 3, pixel_at(result, x, y));
    }
  }
  return result;
}

Image rotate(const Image& image, double degrees) {
  Image result = all_grey(image);
  const double angle = -degrees * std::numbers::pi / 180;
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  const double centre_x = image.width / 2.0;
  const double centre_y = image.height / 2.0;
  // The place that the centre of the first pixel comes from, and the steps along a row and from row to row.
  const double first_x = centre_x - cosine * centre_x - sine * centre_y + (cosine + sine) * 0.5;
  const double first_y = centre_y + sine * centre_x - cosine * centre_y + (cosine - sine) * 0.5;
  const std::int64_t step_cosine = fixed_point(cosine);
  const std::int64_t step_sine = fixed_point(sine);
  const std::int64_t step_back = fixed_point(-sine);
  for (int y = 0; y < image.height; ++y) {
    std::int64_t from_x = fixed_point(first_x) + y * step_sine;
    std::int64_t from_y = fixed_point(first_y) + y * step_cosine;
    for (int x = 0; x < image.width; ++x, from_x += step_cosine, from_y += step_back) {
      const std::int64_t column = from_x >> 16U;
      const std::int64_t row = from_y >> 16U;
      if (column < 0 || column >= image.width || row < 0 || row >= image.height) continue;
      std::copy_n(pixel_at(image, static_cast<int>(column), static_cast<int>(row)), 3, pixel_at(result, x, y));
    }
  }
  return result;
}

}  // namespace mlpac
