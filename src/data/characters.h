// What the characters beyond ASCII are to a text made of words, by ranges of code points: no locale, no large tables.
#pragma once

#include <cstdint>

namespace mlpac {

enum class CharacterKind : std::uint8_t {
  separator,  ///< blanks, punctuation and signs
  letter,     ///< and digits: words are made of them
  single,     ///< a word of its own: Chinese, Japanese and Korean characters, pictographs
  dropped     ///< has no meaning between letters: soft hyphens, joiners, variation selectors
};

/// The kind of a code point from U+0080 on.
CharacterKind kind_of(char32_t code);

/// The lower-case letter of a code point from U+0080 on, for the Latin, Greek, Cyrillic and Armenian alphabets; others
/// stay. The final sigma becomes a sigma, full-width letters and digits the ASCII ones.
char32_t lower(char32_t code);

}  // namespace mlpac
