// Marks and numbers of the zip format (PKWARE's APPNOTE), for zip.cc and zip_content.cc.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mlpac {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

inline constexpr std::string_view kZipLocal{"PK\x03\x04", 4};
inline constexpr std::string_view kZipEntry{"PK\x01\x02", 4};
inline constexpr std::string_view kZipEnd{"PK\x05\x06", 4};
inline constexpr std::string_view kZipLargeEnd{"PK\x06\x06", 4};
inline constexpr std::string_view kZipLocator{"PK\x06\x07", 4};

inline constexpr std::size_t kZipLocalHeader = 30;           ///< bytes before the name
inline constexpr std::uint64_t kZipElsewhere = 0xFFFFFFFFU;  ///< the value is in the extra field

/// The number at a position that the caller has checked.
template <typename T>
T zip_number(std::string_view bytes, std::size_t at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

}  // namespace mlpac
