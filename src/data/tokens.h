// Words of a text, without a locale or tables of Unicode: what counts as a word is decided by ranges of code points.
//
// - A word is a run of letters and digits. Everything beyond ASCII is a letter unless it is a blank, punctuation or a
//   sign; the underscore and all other ASCII punctuation end a word.
// - Chinese, Japanese and Korean characters and pictographs (emoji) are words of one character each.
// - An apostrophe (' or U+2019) between two letters belongs to the word and is written ', so "don't" is one word.
// - Soft hyphens and joiners (U+00AD, U+200C, U+200D, U+2060, U+FEFF, U+FE00 to U+FE0F) are left out of words.
// - Words are in lower case for the Latin, Greek, Cyrillic and Armenian alphabets; the final sigma is taken as a sigma,
//   full-width letters and digits as the ASCII ones. Accents are kept, and combining ones are not composed.
// - A word longer than kLongestToken bytes is cut to that length.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace mlpac {

/// The words of one text, in order. The tokens are valid UTF-8 whatever the text is: bytes that are not UTF-8 make the
/// whole text Latin-1.
class Tokens {
 public:
  /// So long that no word of a language is cut, so short that garbage does not fill the memory.
  static constexpr std::size_t kLongestToken = 100;

  /// The text must stay where it is while its tokens are read.
  explicit Tokens(std::string_view text);
  Tokens(const Tokens&) = delete;
  Tokens& operator=(const Tokens&) = delete;
  ~Tokens() = default;

  /// Moves to the next token; false at the end.
  bool next();
  /// The current token, valid until next() is called.
  std::string_view token() const { return {token_.data(), size_}; }

 private:
  void append(char byte) {
    if (size_ < kLongestToken && !cut_) token_[size_++] = byte;
  }
  void append_character(char32_t code);
  bool word_goes_on(std::size_t at) const;

  std::string converted_;  ///< the text, if it had to be converted
  std::string_view text_;
  std::size_t at_ = 0;  ///< the next byte to look at
  std::array<char, kLongestToken> token_{};
  std::size_t size_ = 0;
  bool cut_ = false;  ///< a character did not fit any more
};

}  // namespace mlpac
