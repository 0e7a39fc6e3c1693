// Numbers in text files.
#pragma once

#include <cstdint>
#include <string_view>

namespace mlpac {

enum class Number : std::uint8_t { good, malformed, too_large };

/// A decimal number, with or without sign and exponent. "nan" and "inf" are malformed: formats that allow them for
/// missing values recognise them before. A number too small for float32 is 0.
Number parse_number(std::string_view text, float& value);

/// True if nothing but the digits of a number that fits is there.
bool parse_index(std::string_view text, std::int64_t& value);

}  // namespace mlpac
