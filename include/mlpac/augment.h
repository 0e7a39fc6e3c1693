// Random changes of training images, as the published image code makes them: one rectangle cut out, then RandAugment.
//
// All draws come from a key, so that an image of an epoch is changed in the same way whoever decodes it. Operations
// give the bytes of Pillow up to rounding.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "mlpac/image.h"

namespace mlpac {

/// Mean and standard deviation of each channel, for values in [0, 1].
struct PixelNormalisation {
  std::array<float, 3> mean{0, 0, 0};
  std::array<float, 3> deviation{1, 1, 1};
};
/// The published code for COCO feeds values in [0, 1] as they are: that is PixelNormalisation{}. Backbones of
/// torchvision want the statistics of ImageNet.
inline constexpr PixelNormalisation kImageNetNormalisation{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};

/// Fills one square of side int(share * width + 0.5) with one colour. Its centre is anywhere in the image, it ends at
/// the borders, and its lower and right edge belong to it.
void cutout(Image& image, double share, std::uint64_t key);

/// One operation of RandAugment and what its magnitude means.
enum class AugmentKind {
  invert,
  cutout,     ///< side in pixels
  sharpness,  ///< the enhancing ones: factor 1 + or - magnitude
  auto_contrast,
  posterize,    ///< bits that stay
  shear_x,      ///< tangent, either sign
  translate_x,  ///< share of the side, either sign
  translate_y,
  shear_y,
  rotate,  ///< degrees, counter-clockwise
  equalize,
  contrast,
  color,
  solarize,  ///< values from here on are inverted
  brightness,
};
inline constexpr int kAugmentKinds = 15;

/// The magnitude of a level from 0 to 9.
double augment_magnitude(AugmentKind kind, int level);

/// Applies one operation; `negative` picks the sign where there is a choice, `key` the place of a cut-out.
Image augment(const Image& image, AugmentKind kind, double magnitude, bool negative, std::uint64_t key);

/// Two of 15 operations x levels 1 to 9 are drawn, and each is applied with probability 1/2.
Image rand_augment(const Image& image, std::uint64_t key);

}  // namespace mlpac
