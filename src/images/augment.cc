// Cut-outs and RandAugment. Arithmetic and rounding follow Pillow 9.4, which the published code uses.
#include "mlpac/augment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/random.h"
#include "images/augment_geometry.h"
#include "images/augment_values.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

constexpr int kLevels = 9;  ///< 1 to 9 are drawn; 0 would leave the image as it is

/// A whole number from 0 to limit - 1.
int draw_below(std::uint64_t key, std::uint64_t index, int limit) {
  return std::min(static_cast<int>(unit_double(bits_at(key, index)) * limit), limit - 1);
}

/// The columns from left to right - 1 of the rows from top to bottom - 1, as far as they lie in the image.
void fill(Image& image, int left, int top, int right, int bottom, const std::array<std::uint8_t, 3>& colour) {
  left = std::max(left, 0);
  right = std::min(right, image.width);
  for (int y = std::max(top, 0); y < std::min(bottom, image.height); ++y) {
    std::uint8_t* pixel = pixel_at(image, left, y);
    for (int x = left; x < right; ++x, pixel += 3) std::copy(colour.begin(), colour.end(), pixel);
  }
}

/// The cut-out of RandAugment: a square of at most 20 pixels, without its lower and right edge.
Image small_cutout(Image image, double side, std::uint64_t key) {
  constexpr std::array<std::uint8_t, 3> kColour{125, 122, 113};
  const int half = static_cast<int>(side) / 2;
  const int x = draw_below(key, 0, image.width);
  const int y = draw_below(key, 1, image.height);
  fill(image, x - half, y - half, x + half, y + half, kColour);
  return image;
}

}  // namespace

void cutout(Image& image, double share, std::uint64_t key) {
  const int half_width = static_cast<int>(std::lround(share * image.width)) / 2;
  const int half_height = static_cast<int>(std::lround(share * image.height)) / 2;
  const int x = draw_below(key, 0, image.width);
  const int y = draw_below(key, 1, image.height);
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t c = 0; c < colour.size(); ++c) {
    colour[c] = static_cast<std::uint8_t>(draw_below(key, 2 + c, 256));
  }
  fill(image, x - half_width, y - half_height, x + half_width + 1, y + half_height + 1, colour);
}

double augment_magnitude(AugmentKind kind, int level) {
  const double part = level / static_cast<double>(kLevels);
  switch (kind) {
    case AugmentKind::shear_x:
    case AugmentKind::shear_y:
      return 0.3 * part;
    case AugmentKind::translate_x:
    case AugmentKind::translate_y:
      return 150.0 / 331 * part;
    case AugmentKind::rotate:
      return 30 * part;
    case AugmentKind::color:
    case AugmentKind::contrast:
    case AugmentKind::sharpness:
    case AugmentKind::brightness:
      return 0.9 * part;
    case AugmentKind::posterize:
      return std::nearbyint(8 - 4 * part);
    case AugmentKind::solarize:
      return 256 - 256 * part;
    case AugmentKind::cutout:
      return std::nearbyint(20 * part);
    case AugmentKind::invert:
    case AugmentKind::auto_contrast:
    case AugmentKind::equalize:
      return 0;
  }
  return 0;
}

Image augment(const Image& image, AugmentKind kind, double magnitude, bool negative, std::uint64_t key) {
  const double either = negative ? -magnitude : magnitude;
  switch (kind) {
    case AugmentKind::invert:
      return invert(image);
    case AugmentKind::cutout:
      return small_cutout(image, magnitude, key);
    case AugmentKind::sharpness:
      return blend(smooth(image), image, 1 + either);
    case AugmentKind::auto_contrast:
      return auto_contrast(image);
    case AugmentKind::posterize:
      return posterize(image, static_cast<int>(magnitude));
    case AugmentKind::shear_x:
      return shear_x(image, either);
    case AugmentKind::translate_x:
      return translate(image, either * image.width, 0);
    case AugmentKind::translate_y:
      return translate(image, 0, either * image.height);
    case AugmentKind::shear_y:
      return shear_y(image, either);
    case AugmentKind::rotate:
      return rotate(image, magnitude);
    case AugmentKind::equalize:
      return equalize(image);
    case AugmentKind::contrast:
      return blend(mean_grey(image), image, 1 + either);
    case AugmentKind::color:
      return blend(grey(image), image, 1 + either);
    case AugmentKind::solarize:
      return solarize(image, magnitude);
    case AugmentKind::brightness:
      return blend(uniform(image, 0), image, 1 + either);
  }
  return image;
}

Image rand_augment(const Image& image, std::uint64_t key) {
  constexpr std::uint64_t kOperations = 2;
  Image result = image;
  for (std::uint64_t i = 0; i < kOperations; ++i) {
    const std::uint64_t own = bits_at(key, i);
    const int candidate = draw_below(own, 0, kAugmentKinds * kLevels);
    if (unit_double(bits_at(own, 1)) >= 0.5) continue;
    const auto kind = static_cast<AugmentKind>(candidate / kLevels);
    const bool negative = unit_double(bits_at(own, 2)) < 0.5;
    result = augment(result, kind, augment_magnitude(kind, 1 + candidate % kLevels), negative, bits_at(own, 3));
  }
  return result;
}

}  // namespace mlpac
