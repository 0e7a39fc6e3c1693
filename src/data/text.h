// Small text helpers shared by the readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mlpac {

/// The text in single quotes for a message: cut to a readable length, unprintable bytes as \xNN.
std::string in_quotes(std::string_view text);

/// The text itself if it is valid UTF-8, otherwise the text taken as Latin-1 and converted. Names go into JSON files,
/// which must be UTF-8, and old ARFF files are often Latin-1.
std::string to_utf8(std::string_view text);

/// Appends a Unicode code point as UTF-8; false if there is no such character.
bool append_utf8(std::string& text, std::uint32_t code);

/// Compares without regard to ASCII case; `lower` is already lower case.
bool equals_ignoring_case(std::string_view text, std::string_view lower);

/// True if `pattern`, in which * stands for any characters, fits the whole text.
bool fits_pattern(std::string_view pattern, std::string_view text);

/// Without blanks (and line ends) at both ends.
std::string_view trim(std::string_view text);

/// Without the byte order mark that Windows editors put before UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace mlpac
