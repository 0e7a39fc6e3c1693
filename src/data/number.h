// Numbers in text files.
#pragma once

#include <cstdint>
#include <string_view>

namespace mlpac {

enum class Number : std::uint8_t { good, malformed, too_large };

/// A decimal number, with or without sign and exponent. "nan" and "inf" are malformed: formats that allow them for
/// missing values recognise them before. A number too small for float32 is 0.
Number parse_number(std::string_view text, float& value);

/// The fast way for the numbers most files consist of, up to 15 digits and a small exponent: reads one at `first`,
/// whose text need not be cut out before, and returns where it ends. Null if there is none or it is not of that kind,
/// which only parse_number tells. The value is the one parse_number gives, rounded exactly.
const char* scan_number(const char* first, const char* last, float& value);

/// True if nothing but the digits of a number that fits is there.
bool parse_index(std::string_view text, std::int64_t& value);

}  // namespace mlpac
