// Parts of images and mirror images.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "mlpac/error.h"
#include "mlpac/image.h"

namespace mlpac {

Image crop(const Image& image, int left, int top, int width, int height) {
  if (left < 0 || top < 0 || width <= 0 || height <= 0 || width > image.width - left || height > image.height - top) {
    throw Error(fmt::format("{} x {} pixels at ({}, {}) cannot be cut from an image of {} x {}, expected a part of it",
                            width, height, left, top, image.width, image.height));
  }
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  const std::size_t part = std::size_t{3} * static_cast<std::size_t>(width);
  Image result{width, height, {}};
  result.rgb.resize(part * static_cast<std::size_t>(height));
  const std::uint8_t* from =
      image.rgb.data() + line * static_cast<std::size_t>(top) + std::size_t{3} * static_cast<std::size_t>(left);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    std::copy_n(from + line * y, part, result.rgb.data() + part * y);
  }
  return result;
}

Image flip_horizontally(const Image& image) {
  Image result{image.width, image.height, {}};
  result.rgb.resize(image.rgb.size());
  const std::size_t line = std::size_t{3} * static_cast<std::size_t>(image.width);
  for (std::size_t row = 0; row < image.rgb.size(); row += line) {
    for (std::size_t x = 0; x < line; x += 3) {
      std::copy_n(image.rgb.data() + row + x, 3, result.rgb.data() + row + line - 3 - x);
    }
  }
  return result;
}

}  // namespace mlpac
