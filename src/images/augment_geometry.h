// Operations that move pixels; what comes from outside the image is grey (128, 128, 128).
#pragma once

#include <cstddef>
#include <cstdint>

#include "mlpac/image.h"

namespace mlpac {

inline std::size_t pixel_position(const Image& image, int x, int y) {
  return std::size_t{3} *
         (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
}
inline std::uint8_t* pixel_at(Image& image, int x, int y) { return image.rgb.data() + pixel_position(image, x, y); }
inline const std::uint8_t* pixel_at(const Image& image, int x, int y) {
  return image.rgb.data() + pixel_position(image, x, y);
}

/// The pixel at (x, y) comes from (x + slope y, y); bicubic.
Image shear_x(const Image& image, double slope);
/// The pixel at (x, y) comes from (x, y + slope x); bicubic.
Image shear_y(const Image& image, double slope);
/// The pixel at (x, y) comes from (x + right, y + down); nearest.
Image translate(const Image& image, double right, double down);
/// About the centre, counter-clockwise; nearest.
Image rotate(const Image& image, double degrees);

}  // namespace mlpac
