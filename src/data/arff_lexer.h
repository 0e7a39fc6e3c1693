// Words of one line of an ARFF file.
//
// The rules are Weka's: blanks and commas separate, a word may be put in '...' or "..." where a backslash escapes the
// next character, and % begins a comment where a word could begin. Outside quotes a backslash is an ordinary character.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/line_reader.h"

namespace mlpac {

struct ArffWord {
  std::string_view text;  ///< valid until the next word is read
  bool quoted = false;
  bool missing() const { return !quoted && text == "?"; }
};

class ArffLexer {
 public:
  /// Characters that end a word without quotes; they are combined with |.
  enum Stop : std::uint8_t { kBlank = 1, kComma = 2, kOpen = 4, kClose = 8 };

  explicit ArffLexer(const LineReader& lines) : lines_(&lines) {}

  /// Starts with the current line of the reader, at its first character that is not blank.
  void begin() {
    at_ = lines_->line().data();
    end_ = at_ + lines_->line().size();
    skip_blanks();
  }

  void skip_blanks() {
    while (at_ != end_ && is(*at_, kBlank)) ++at_;
  }
  /// True if the line has ended, or only a comment is left.
  bool done() const { return at_ == end_ || *at_ == '%'; }
  /// True if the next character is `c`.
  bool sees(char c) const { return at_ != end_ && *at_ == c; }
  /// Consumes `c` and the blanks behind it if it comes next.
  bool accept(char c) {
    if (!sees(c)) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  /// The next word; empty (and not quoted) if there is none. `stops` are the characters that end it.
  ArffWord word(unsigned stops) {
    if (at_ != end_ && (*at_ == '\'' || *at_ == '"')) return quoted_word();
    const char* const first = at_;
    while (at_ != end_ && !is(*at_, stops)) ++at_;
    return {std::string_view(first, static_cast<std::size_t>(at_ - first)), false};
  }

  /// After a value: consumes blanks and at most one comma. False if neither separates it from what follows.
  bool separator() {
    const char* const first = at_;
    skip_blanks();
    return accept(',') || at_ != first;
  }

  /// What is left of the line.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[noreturn]] void fail(std::string_view message) const { lines_->fail(message); }

 private:
  static constexpr std::array<std::uint8_t, 256> make_kinds() {
    std::array<std::uint8_t, 256> kinds{};
    for (const char c : std::string_view(" \t\r\f\v")) kinds[static_cast<unsigned char>(c)] = kBlank;
    kinds[','] = kComma;
    kinds['{'] = kOpen;
    kinds['}'] = kClose;
    return kinds;
  }
  static bool is(char c, unsigned stops) {
    static constexpr std::array<std::uint8_t, 256> kKinds = make_kinds();
    return (kKinds[static_cast<unsigned char>(c)] & stops) != 0;
  }

  ArffWord quoted_word();

  const LineReader* lines_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string unescaped_;  ///< text of the last quoted word that had escapes; kept to reuse its memory
};

}  // namespace mlpac
