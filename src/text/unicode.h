// What the tokenisers ask about characters: UTF-8, general category, lower case, letters without accents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac::unicode {

/// General categories, as far as a tokeniser tells them apart. The numbers are those of the generated table.
enum class Kind : std::uint8_t {
  other,        ///< symbols, spacing marks, line and paragraph separators
  letter,       ///< L*
  number,       ///< N*
  punctuation,  ///< P*
  mark,         ///< Mn: accents
  space,        ///< Zs
  control       ///< C*: controls, formats, private and unassigned code points
};

/// One character of a text: its code point and the bytes it takes.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

inline constexpr char32_t kReplacement = 0xFFFD;

/// The character at `at`; a byte that is no UTF-8 is one replacement character, so that any bytes can be read.
Character character_at(std::string_view text, std::size_t at);

/// Appends a code point as UTF-8.
void append(std::string& text, char32_t code);

Kind kind_of(char32_t code);

/// Unicode's White_Space: what \s matches and where Python's split() splits.
bool is_white_space(char32_t code);

/// The lower-case letter by itself, whatever stands beside it; the two of "I with dot above" are its i alone, because
/// who lowers letters here takes the accents away as well.
char32_t lower(char32_t code);

/// Appends the canonical decomposition without its marks: e for é, nothing for an accent.
void append_base(std::vector<char32_t>& text, char32_t code);

}  // namespace mlpac::unicode
