// The decoder of each file format, and what they have in common. Bytes are those of a whole file of that format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "mlpac/image.h"

namespace mlpac {

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& name, const DecodeOptions& options);
Image decode_png(std::span<const std::uint8_t> bytes, const std::string& name);

/// Throws Error if the size, as a header declares it, is beyond the limits of image.h, or needs more bytes than the
/// file has; `least_bytes` is what the best compression would take.
void require_plausible_size(std::uint64_t width, std::uint64_t height, double least_bytes, std::size_t bytes,
                            const std::string& name);

/// Throw Error; `format` is JPEG or PNG, `why` comes from the decoder.
[[noreturn]] void fail_damaged(const std::string& name, std::string_view format, std::string_view why);
[[noreturn]] void fail_cut_off(const std::string& name, std::string_view format);
[[noreturn]] void fail_unsupported(const std::string& name, std::string_view format, std::string_view why);

}  // namespace mlpac
