// Operations that change values and leave every pixel where it is; each is that of Pillow with the same name.
#pragma once

#include <cstdint>

#include "mlpac/image.h"

namespace mlpac {

Image invert(const Image& image);
Image posterize(const Image& image, int bits);
Image solarize(const Image& image, double threshold);
/// Stretches each channel so that it uses all values.
Image auto_contrast(const Image& image);
/// Gives each channel nearly equal numbers of all values.
Image equalize(const Image& image);

/// All pixels of one grey.
Image uniform(const Image& image, std::uint8_t value);
/// The luminance of each pixel, and that of the whole image.
Image grey(const Image& image);
Image mean_grey(const Image& image);
/// Each pixel averaged with its neighbours, itself five times; the border stays.
Image smooth(const Image& image);

/// (1 - factor) * from + factor * to, cut to bytes.
Image blend(Image from, const Image& to, double factor);

}  // namespace mlpac
