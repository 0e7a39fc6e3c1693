// How a camera was held: the orientation of EXIF data, and pixels in the place it asks for.
#pragma once

#include <cstdint>
#include <span>

#include "mlpac/image.h"

namespace mlpac {

/// The orientation, 1 to 8, in the APP1 segment of a JPEG file; 1 (as stored) if there is none or it makes no sense:
/// pictures with damaged EXIF data are common and good.
int exif_orientation(std::span<const std::uint8_t> segment);

/// The image as it is to be seen.
Image oriented(const Image& image, int orientation);

}  // namespace mlpac
