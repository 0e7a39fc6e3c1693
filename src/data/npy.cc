#include "data/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/npy_header.h"
#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

/// IEEE binary16; no type of C++20.
struct Half {
  std::uint16_t bits = 0;

  explicit operator float() const {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t rest = bits & 0x7FFFU;
    // Below 0x400 the exponent is 0 and the fraction counts units of 2^-24; from 0x7C00 on it is infinite or NaN.
    if (rest < 0x400) return std::copysign(static_cast<float>(rest) * 0x1p-24F, std::bit_cast<float>(sign | 1U));
    const std::uint32_t exponent = rest >= 0x7C00 ? 0x70000000U : (127U - 15U) << 23U;
    return std::bit_cast<float>(sign | ((rest << 13U) + exponent));
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

/// A boolean; NumPy takes every byte but 0 as true.
struct Truth {
  std::uint8_t byte = 0;
  explicit operator float() const { return byte != 0 ? 1.0F : 0.0F; }
  explicit operator double() const { return byte != 0 ? 1.0 : 0.0; }
};

template <typename T, bool kSwap>
T load(const char* at) {
  T value;
  if constexpr (kSwap && sizeof(T) > 1) {
    std::array<char, sizeof(T)> swapped{};
    std::reverse_copy(at, at + sizeof(T), swapped.begin());
    std::memcpy(&value, swapped.data(), sizeof(T));
  } else {
    std::memcpy(&value, at, sizeof(T));
  }
  return value;
}

template <typename T, bool kSwap, typename To>
void convert(const char* from, std::span<To> to) {
  for (To& value : to) {
    value = static_cast<To>(load<T, kSwap>(from));  // NOLINT(bugprone-signed-char-misuse): int8 is a number here
    from += sizeof(T);
  }
}

template <typename T, typename To>
void convert(const NpyArray& array, std::int64_t first, std::span<To> to) {
  const char* const from = array.bytes.data() + static_cast<std::size_t>(first) * sizeof(T);
  if (array.header.big_endian) {
    convert<T, true>(from, to);
  } else {
    convert<T, false>(from, to);
  }
}

template <typename To>
void convert_integers(const NpyArray& array, std::int64_t first, std::span<To> to) {
  const std::size_t item = array.header.item;
  if (array.header.kind == NpyKind::integer) {
    if (item == 1) return convert<std::int8_t>(array, first, to);
    if (item == 2) return convert<std::int16_t>(array, first, to);
    if (item == 4) return convert<std::int32_t>(array, first, to);
    return convert<std::int64_t>(array, first, to);
  }
  if (item == 1) return convert<std::uint8_t>(array, first, to);
  if (item == 2) return convert<std::uint16_t>(array, first, to);
  if (item == 4) return convert<std::uint32_t>(array, first, to);
  return convert<std::uint64_t>(array, first, to);
}

template <typename To>
void convert_numbers(const NpyArray& array, std::int64_t first, std::span<To> to) {
  const std::size_t item = array.header.item;
  switch (array.header.kind) {
    case NpyKind::boolean:
      return convert<Truth>(array, first, to);
    case NpyKind::integer:
    case NpyKind::natural:
      return convert_integers(array, first, to);
    case NpyKind::real:
      if (item == 2) return convert<Half>(array, first, to);
      if (item == 4) return convert<float>(array, first, to);
      return convert<double>(array, first, to);
    case NpyKind::bytes:
    case NpyKind::text:
      break;
  }
  array.fail("the elements are strings, expected numbers; use astype(np.float32)");
}

void require_list(const NpyArray& array) {
  if (array.header.shape.size() != 1) {
    array.fail(fmt::format("the array has the shape {}, expected one dimension", shape_text(array)));
  }
}

/// One element of integers, in decimal digits.
template <typename T>
std::string integer_at(const NpyArray& array, std::int64_t element) {
  T value = 0;
  convert_integers(array, element, std::span(&value, 1));
  return std::to_string(value);
}

/// One element of UCS-4 characters or bytes, padded with zeros.
std::string string_at(const NpyArray& array, std::int64_t element) {
  const std::size_t item = array.header.item;
  const std::string_view field = array.bytes.substr(static_cast<std::size_t>(element) * item, item);
  const std::string_view used = field.substr(0, field.find_last_not_of('\0') + 1);
  const auto fail = [&](std::string_view what) {
    array.fail(fmt::format("the string at {} {}, expected text", element, what));
  };
  if (array.header.kind == NpyKind::bytes) {
    if (used.find('\0') != std::string_view::npos) fail("contains a zero byte");
    return to_utf8(used);
  }
  std::string text;
  std::size_t padding = 0;
  for (std::size_t at = 0; at < item; at += 4) {
    const char* const from = array.bytes.data() + static_cast<std::size_t>(element) * item + at;
    const auto code = array.header.big_endian ? load<std::uint32_t, true>(from) : load<std::uint32_t, false>(from);
    if (code == 0) {
      ++padding;
    } else if (padding > 0 || !append_utf8(text, code)) {
      fail(padding > 0 ? "contains a zero character" : "contains something that is no character");
    }
  }
  return text;
}

}  // namespace

void NpyArray::fail(std::string_view what) const { throw Error(fmt::format("{}: {}", source, what)); }

NpyArray parse_npy(std::string_view bytes, std::string source) {
  NpyArray array;
  array.source = std::move(source);
  array.header = parse_npy_header(bytes, array.source);
  array.bytes = bytes.substr(array.header.data);
  const std::size_t needed = array.header.size() - array.header.data;
  if (array.bytes.size() < needed) {
    array.fail(fmt::format("the shape {} needs {} bytes, expected as many, but {} are there; was the file cut off?",
                           shape_text(array), needed, array.bytes.size()));
  }
  if (array.bytes.size() > needed) {
    array.fail(
        fmt::format("{} bytes follow the array of shape {}, expected the end; save several arrays with "
                    "np.savez(file, X=X, Y=Y)",
                    array.bytes.size() - needed, shape_text(array)));
  }
  return array;
}

void to_floats(const NpyArray& array, std::int64_t first, std::span<float> values) {
  convert_numbers(array, first, values);
}

double number_at(const NpyArray& array, std::int64_t element) {
  double value = 0;
  convert_numbers(array, element, std::span(&value, 1));
  return value;
}

void require_integers(const NpyArray& array) {
  const NpyHeader& header = array.header;
  if (header.kind != NpyKind::integer || (header.item != 4 && header.item != 8)) {
    array.fail("the elements are no int32 or int64, expected these; use astype(np.int64)");
  }
}

void to_integers(const NpyArray& array, std::int64_t first, std::span<std::int64_t> values) {
  convert_integers(array, first, values);
}

std::vector<std::int64_t> integer_list(const NpyArray& array) {
  require_list(array);
  require_integers(array);
  std::vector<std::int64_t> values(static_cast<std::size_t>(array.header.elements));
  to_integers(array, 0, values);
  return values;
}

std::vector<std::string> name_list(const NpyArray& array) {
  require_list(array);
  const NpyKind kind = array.header.kind;
  if (kind == NpyKind::boolean || kind == NpyKind::real) {
    array.fail("the elements are numbers, expected strings; use astype(str)");
  }
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < array.header.elements; ++i) {
    names.push_back(kind == NpyKind::integer   ? integer_at<std::int64_t>(array, i)
                    : kind == NpyKind::natural ? integer_at<std::uint64_t>(array, i)
                                               : string_at(array, i));
    if (names.back().empty()) array.fail(fmt::format("the string at {} is empty, expected a name", i));
  }
  return names;
}

std::string shape_text(const NpyArray& array) {
  constexpr std::size_t kShown = 4;
  const std::vector<std::int64_t>& shape = array.header.shape;
  std::string text;
  for (std::size_t i = 0; i < shape.size() && i < kShown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return fmt::format("({}{})", text, shape.size() == 1 ? "," : shape.size() > kShown ? ", ..." : "");
}

}  // namespace mlpac
