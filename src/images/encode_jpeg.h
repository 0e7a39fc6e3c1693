// Images as JPEG files.
#pragma once

#include <string>

#include "mlpac/image.h"

namespace mlpac {

/// The bytes of a JPEG file; `quality` from 1 to 100. Throws Error for an image without pixels.
std::string encode_jpeg(const Image& image, int quality);

}  // namespace mlpac
