// Changes of size and place, against what the triangle filter gives in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "image_bytes.h"
#include "mlpac/error.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A row of pixels whose channels are v, 255 - v and 7.
Image row_of(const Bytes& values) {
  Image image{static_cast<int>(values.size()), 1, {}};
  for (const std::uint8_t value : values) {
    image.rgb.insert(image.rgb.end(), {value, static_cast<std::uint8_t>(255 - value), 7});
  }
  return image;
}

/// The same as a column.
Image column_of(const Bytes& values) {
  Image image = row_of(values);
  std::swap(image.width, image.height);
  return image;
}

/// Every pixel as the weighted mean of all old ones under a triangle, in double precision and without rounding between
/// the directions.
Image exact_resize(const Image& image, int width, int height) {
  const auto weight = [](int from, int to, int position, int old) {
    const double scale = static_cast<double>(from) / to;
    const double reach = std::max(1.0, scale);
    return std::max(0.0, 1 - std::abs((old + 0.5 - (position + 0.5) * scale) / reach));
  };
  Image result{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        double weights = 0;
        for (int v = 0; v < image.height; ++v) {
          for (int u = 0; u < image.width; ++u) {
            const double w = weight(image.width, width, x, u) * weight(image.height, height, y, v);
            sum += w * image.rgb[static_cast<std::size_t>((v * image.width + u) * 3 + c)];
            weights += w;
          }
        }
        result.rgb.push_back(static_cast<std::uint8_t>(std::lround(sum / weights)));
      }
    }
  }
  return result;
}

TEST(Resize, ClosedForms) {
  // Twice as many pixels: a quarter of the neighbour's value, the borders keep theirs.
  EXPECT_EQ(resize(row_of({0, 100}), 4, 1), row_of({0, 25, 75, 100}));
  EXPECT_EQ(resize(column_of({0, 100}), 1, 4), column_of({0, 25, 75, 100}));
  // Half as many: weights 1, 3, 3, 1 of 8 inside, 3, 3, 1 of 7 at the borders.
  EXPECT_EQ(resize(row_of({0, 0, 80, 80, 160, 160}), 3, 1).rgb[3], 80);
  EXPECT_EQ(resize(row_of({0, 0, 70, 70}), 2, 1).rgb[0], 10);
  EXPECT_EQ(resize(column_of({0, 0, 70, 70}), 1, 2).rgb[3], 60);
  // Three to one: weights 2, 3, 2 of 7.
  EXPECT_EQ(resize(row_of({0, 210, 0}), 1, 1).rgb[0], 90);
}

TEST(Resize, KeepsSizeAndFlatColours) {
  const Image image = smooth_image(13, 9);
  EXPECT_EQ(resize(image, 13, 9), image);
  Image flat{31, 17, Bytes(std::size_t{31} * 17 * 3, 255)};
  for (const int side : {1, 2, 7, 16, 32, 100}) {
    const Image other = resize(flat, side, 2 * side);
    EXPECT_TRUE(std::all_of(other.rgb.begin(), other.rgb.end(), [](std::uint8_t value) { return value == 255; }));
  }
}

TEST(Resize, IsWithinOneOfExactInterpolation) {
  Image image = smooth_image(23, 19);
  for (std::size_t i = 0; i < image.rgb.size(); i += 7) image.rgb[i] = static_cast<std::uint8_t>(i * 89);
  for (const int width : {1, 5, 11, 22, 23, 24, 60}) {
    for (const int height : {1, 4, 19, 40}) {
      EXPECT_LE(largest_difference(resize(image, width, height), exact_resize(image, width, height)), 1)
          << width << " x " << height;
    }
  }
}

TEST(Resize, ImpossibleSizesAreRefused) {
  const Image image = smooth_image(4, 4);
  EXPECT_THROW(resize(image, 0, 4), Error);
  EXPECT_THROW(resize(image, 4, -1), Error);
  EXPECT_THROW(resize(image, 60000, 60000), Error);
  EXPECT_THROW(resize(Image{}, 4, 4), Error);
}

TEST(Crop, TakesThePartOrRefuses) {
  const Image image{3, 2, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}};
  EXPECT_EQ(crop(image, 1, 0, 2, 2), (Image{2, 2, {2, 2, 2, 3, 3, 3, 5, 5, 5, 6, 6, 6}}));
  EXPECT_EQ(crop(image, 0, 0, 3, 2), image);
  EXPECT_THROW(crop(image, 2, 0, 2, 1), Error);
  EXPECT_THROW(crop(image, 0, 1, 1, 2), Error);
  EXPECT_THROW(crop(image, -1, 0, 1, 1), Error);
  EXPECT_THROW(crop(image, 0, 0, 0, 1), Error);
  EXPECT_THROW(crop(image, 2147483647, 0, 2147483647, 1), Error);
}

TEST(Flip, MirrorsAndComesBack) {
  EXPECT_EQ(flip_horizontally(Image{2, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}),
            (Image{2, 2, {4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9}}));
  const Image image = smooth_image(7, 3);
  EXPECT_EQ(flip_horizontally(flip_horizontally(image)), image);
  EXPECT_EQ(flip_horizontally(Image{}), Image{});
}

}  // namespace
}  // namespace mlpac
