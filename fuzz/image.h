// What the fuzz targets of images check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "fuzz.h"
#include "mlpac/image.h"

namespace mlpac {

inline int decoded_or_refused(const unsigned char* bytes, std::size_t size, const DecodeOptions& options) {
  return parsed_or_refused(bytes, size, [&](std::string_view text) {
    const Image image =
        decode_image(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), "fuzz", options);
    require(image.width > 0 && image.height > 0);
    require(image.rgb.size() == static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  });
}

}  // namespace mlpac
