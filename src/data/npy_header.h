// The header of a .npy file: element type, order and shape, written as a Python dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

enum class NpyKind : std::uint8_t { boolean, integer, natural, real, bytes, text };

struct NpyHeader {
  NpyKind kind = NpyKind::real;
  std::size_t item = 0;  ///< bytes of one element, at least 1
  bool big_endian = false;
  bool fortran = false;             ///< the first index runs fastest
  std::vector<std::int64_t> shape;  ///< empty: a single element
  std::int64_t elements = 1;        ///< product of the shape
  std::size_t data = 0;             ///< where the elements begin

  /// Bytes of header and elements; parse_npy_header has checked that this does not overflow.
  std::size_t size() const { return data + static_cast<std::size_t>(elements) * item; }
};

/// Every header lies within this many bytes of the beginning; longer ones (structured arrays) are refused.
inline constexpr std::size_t kNpyHead = 12 + 65535;

/// Reads versions 1 to 3 of the format from the first bytes of a file. Throws Error, also for elements that are neither
/// numbers nor strings. The shape is what the file claims: nothing may be allocated for it before size() bytes are
/// there.
NpyHeader parse_npy_header(std::string_view head, const std::string& source);

/// True if the bytes begin as a .npy file does.
bool looks_like_npy(std::string_view head);

}  // namespace mlpac
