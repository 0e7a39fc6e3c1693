#include "images/augment_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "mlpac/image.h"

namespace mlpac {
namespace {

Image all_grey(const Image& image) {
  Image result{image.width, image.height, {}};
  result.rgb.assign(image.rgb.size(), 128);
  return result;
}

/// The cubic through four values at -1, 0, 1 and 2, with Pillow's slope.
double cubic(const std::array<double, 4>& v, double at) {
  const double first = v[2] - v[0];
  const double second = 2 * (v[0] - v[1]) + v[2] - v[3];
  const double third = -v[0] + v[1] - v[2] + v[3];
  return v[1] + at * (first + at * (second + at * third));
}

/// The value of a channel at a place whose pixel centres are whole numbers; the border goes on outside.
std::uint8_t bicubic(const Image& image, double x, double y, std::size_t channel) {
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  std::array<double, 4> rows{};
  for (int j = 0; j < 4; ++j) {
    const int row = std::clamp(top - 1 + j, 0, image.height - 1);
    std::array<double, 4> values{};
    for (int i = 0; i < 4; ++i) {
      values[static_cast<std::size_t>(i)] = pixel_at(image, std::clamp(left - 1 + i, 0, image.width - 1), row)[channel];
    }
    rows[static_cast<std::size_t>(j)] = cubic(values, x - left);
  }
  return static_cast<std::uint8_t>(std::clamp(cubic(rows, y - top), 0.0, 255.0));
}

/// Numbers with 16 binary digits after the point, as Pillow steps through an image.
std::int64_t fixed_point(double value) { return static_cast<std::int64_t>(std::floor(value * 65536.0 + 0.5)); }

}  // namespace

Image shear(const Image& image, double along_x, double along_y) {
  Image result = all_grey(image);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const double from_x = x + 0.5 + along_x * (y + 0.5);
      const double from_y = y + 0.5 + along_y * (x + 0.5);
      if (from_x < 0 || from_x >= image.width || from_y < 0 || from_y >= image.height) continue;
      std::uint8_t* const pixel = pixel_at(result, x, y);
      for (std::size_t c = 0; c < 3; ++c) pixel[c] = bicubic(image, from_x - 0.5, from_y - 0.5, c);
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
