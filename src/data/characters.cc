#include "data/characters.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace mlpac {
namespace {

/// Code points from `first` to the next entry are of this kind.
struct Range {
  char32_t first;
  CharacterKind kind;
};

using enum CharacterKind;

/// Everything beyond ASCII, in order.
constexpr auto kRanges = std::to_array<Range>({
    {0x80, separator},    // controls, Latin-1 signs
    {0xAA, letter},       // feminine ordinal
    {0xAB, separator},    //
    {0xAD, dropped},      // soft hyphen
    {0xAE, separator},    //
    {0xB2, letter},       // superscript 2, 3
    {0xB4, separator},    //
    {0xB5, letter},       // micro
    {0xB6, separator},    //
    {0xB9, letter},       // superscript 1, masculine ordinal
    {0xBB, separator},    //
    {0xBC, letter},       // fractions
    {0xBF, separator},    //
    {0xC0, letter},       //
    {0xD7, separator},    // multiplication sign
    {0xD8, letter},       //
    {0xF7, separator},    // division sign
    {0xF8, letter},       //
    {0x37E, separator},   // Greek question mark
    {0x37F, letter},      //
    {0x387, separator},   // Greek semicolon
    {0x388, letter},      //
    {0x482, separator},   // Cyrillic thousands sign
    {0x483, letter},      //
    {0x55A, separator},   // Armenian
    {0x560, letter},      //
    {0x589, separator},   //
    {0x591, letter},      // Hebrew
    {0x5BE, separator},   //
    {0x5BF, letter},      //
    {0x5C0, separator},   //
    {0x5C1, letter},      //
    {0x5C3, separator},   //
    {0x5C4, letter},      //
    {0x5C6, separator},   //
    {0x5C7, letter},      //
    {0x600, separator},   // Arabic
    {0x610, letter},      //
    {0x61B, separator},   //
    {0x620, letter},      //
    {0x66A, separator},   //
    {0x66E, letter},      //
    {0x6D4, separator},   //
    {0x6D5, letter},      //
    {0x964, separator},   // Devanagari
    {0x966, letter},      //
    {0x970, separator},   //
    {0x971, letter},      //
    {0xE3F, separator},   // Thai
    {0xE40, letter},      //
    {0xE4F, separator},   //
    {0xE50, letter},      //
    {0xE5A, separator},   //
    {0xE81, letter},      //
    {0x104A, separator},  // Myanmar
    {0x1050, letter},     //
    {0x1360, separator},  // Ethiopic
    {0x1369, letter},     //
    {0x1680, separator},  // Ogham blank
    {0x1681, letter},     //
    {0x17D4, separator},  // Khmer
    {0x17DC, letter},     //
    {0x1800, separator},  // Mongolian
    {0x180B, dropped},    //
    {0x180E, separator},  //
    {0x1810, letter},     //
    {0x2000, separator},  // blanks and general punctuation
    {0x200C, dropped},    // joiners
    {0x200E, separator},  //
    {0x2060, dropped},    // word joiner
    {0x2061, separator},  //
    {0x2070, letter},     // superscripts
    {0x207A, separator},  //
    {0x207F, letter},     //
    {0x208A, separator},  //
    {0x2090, letter},     //
    {0x20A0, separator},  // currencies
    {0x20D0, dropped},    // marks around signs, as in the emoji of keys
    {0x2100, letter},     // letter-like, number forms
    {0x2190, separator},  // arrows, mathematics, boxes
    {0x2460, letter},     // enclosed letters and digits
    {0x2500, separator},  //
    {0x2600, single},     // pictographs
    {0x27C0, separator},  //
    {0x2B50, single},     // star
    {0x2B51, separator},  //
    {0x2C00, letter},     //
    {0x2CF9, separator},  // Coptic
    {0x2D00, letter},     //
    {0x2E00, separator},  // supplemental punctuation
    {0x2E80, single},     // radicals
    {0x2FF0, separator},  // ideographic description, CJK punctuation
    {0x3005, single},     // iteration mark, closing mark, zero
    {0x3008, separator},  //
    {0x3021, single},     // numerals
    {0x302A, separator},  //
    {0x3041, single},     // Hiragana
    {0x3099, dropped},    // sound marks on their own
    {0x309B, separator},  //
    {0x309D, single},     //
    {0x30A0, separator},  //
    {0x30A1, single},     // Katakana
    {0x30FB, separator},  // middle dot
    {0x30FC, single},     // ... to CJK ideographs
    {0xA000, letter},     // Yi and others
    {0xAC00, single},     // Hangul syllables
    {0xD7B0, letter},     //
    {0xF900, single},     // compatibility ideographs
    {0xFB00, letter},     //
    {0xFD3E, separator},  //
    {0xFD50, letter},     //
    {0xFE00, dropped},    // variation selectors
    {0xFE10, separator},  // vertical forms
    {0xFE20, letter},     //
    {0xFE30, separator},  // small forms
    {0xFE70, letter},     // Arabic forms
    {0xFEFF, dropped},    // byte order mark
    {0xFF00, separator},  // full-width forms
    {0xFF10, letter},     //
    {0xFF1A, separator},  //
    {0xFF21, letter},     //
    {0xFF3B, separator},  //
    {0xFF41, letter},     //
    {0xFF5B, separator},  //
    {0xFF66, single},     // half-width Katakana
    {0xFFA0, letter},     // half-width Hangul
    {0xFFE0, separator},  //
    {0x10000, letter},    //
    {0x1F000, single},    // pictographs
    {0x1F3FB, dropped},   // skin tones
    {0x1F400, single},    //
    {0x1FB00, letter},    //
    {0x20000, single},    // ideographs
    {0xE0000, dropped},   // tags
    {0xE1000, letter},    //
});
static_assert(std::is_sorted(kRanges.begin(), kRanges.end(),
                             [](const Range& a, const Range& b) { return a.first < b.first; }));

constexpr bool within(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// The next one if the code is even: upper and lower case take turns.
constexpr char32_t even_up(char32_t code) { return code | 1U; }
/// The next one if the code is odd.
constexpr char32_t odd_up(char32_t code) { return code + (code & 1U); }

char32_t lower_latin(char32_t code) {
  if (code <= 0xDE) return code >= 0xC0 && code != 0xD7 ? code + 0x20 : code;
  if (code < 0x100) return code;
  if (code == 0x130) return U'i';
  if (code == 0x178) return 0xFF;
  if (code == 0x17F) return U's';
  if (code == 0x131 || code == 0x138 || code == 0x149) return code;  // small letters without a capital
  if (within(code, 0x139, 0x148) || within(code, 0x179, 0x17E)) return odd_up(code);
  return even_up(code);
}

char32_t lower_greek(char32_t code) {
  if (code == 0x386) return 0x3AC;
  if (within(code, 0x388, 0x38A)) return code + 0x25;
  if (code == 0x38C) return 0x3CC;
  if (within(code, 0x38E, 0x38F)) return code + 0x3F;
  if (within(code, 0x391, 0x3AB)) return code + 0x20;
  return code == 0x3C2 ? 0x3C3 : code;
}

char32_t lower_cyrillic(char32_t code) {
  if (code < 0x410) return code + 0x50;
  if (code < 0x430) return code + 0x20;
  if (within(code, 0x460, 0x481) || within(code, 0x48A, 0x4BF) || within(code, 0x4D0, 0x52F)) return even_up(code);
  if (code == 0x4C0) return 0x4CF;
  return within(code, 0x4C1, 0x4CE) ? odd_up(code) : code;
}

}  // namespace

CharacterKind kind_of(char32_t code) {
  // The letters of the European alphabets first: almost all text beyond ASCII that is not CJK.
  if (code >= 0xF8 && code < 0x37E) return letter;
  if (code >= 0x388 && code < 0x482) return letter;
  const auto* const after = std::upper_bound(kRanges.begin(), kRanges.end(), code,
                                             [](char32_t wanted, const Range& range) { return wanted < range.first; });
  return std::prev(after)->kind;
}

char32_t lower(char32_t code) {
  if (code < 0x180) return lower_latin(code);
  if (code < 0x370) return code;
  if (code < 0x400) return lower_greek(code);
  if (code < 0x530) return lower_cyrillic(code);
  if (within(code, 0x531, 0x556)) return code + 0x30;                                      // Armenian
  if (within(code, 0x1E00, 0x1E95) || within(code, 0x1EA0, 0x1EFF)) return even_up(code);  // Vietnamese and others
  if (code == 0x1E9E) return 0xDF;                                                         // capital sharp s
  if (within(code, 0xFF10, 0xFF19) || within(code, 0xFF41, 0xFF5A)) return code - 0xFEE0;  // full-width
  if (within(code, 0xFF21, 0xFF3A)) return code - 0xFEE0 + 0x20;
  return code;
}

}  // namespace mlpac
