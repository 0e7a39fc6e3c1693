// What the tests of malformed input share: a table entry, the check of the message, and damage at random.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {

/// A text, the line the message must name (0: the file alone), and a word it must contain.
struct Bad {
  std::string text;
  int line;
  std::string_view word;
};

/// `read` must refuse the text with a message of less than `longest` bytes that names the place.
template <typename Read>
void expect_refused(const Bad& bad, const std::string& source, Read read, std::size_t longest = 500) {
  SCOPED_TRACE(bad.text.substr(0, 200));
  try {
    read(bad.text);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::string place = bad.line == 0 ? source + ": " : source + ":" + std::to_string(bad.line) + ": ";
    EXPECT_EQ(message.substr(0, place.size()), place) << message;
    EXPECT_NE(message.find(bad.word), std::string::npos) << message;
    EXPECT_LT(message.size(), longest) << message;
    EXPECT_EQ(message.find('\0'), std::string::npos);
  }
}

/// Draws numbers; the seed is fixed, so that a failure can be repeated.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : key_(seed) {}
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits_at(key_, next_++) % limit); }

 private:
  std::uint64_t key_;
  std::uint64_t next_ = 0;
};

/// The text with one to four places damaged: other bytes, pieces of the format, parts left out, repeated or cut off.
inline std::string mutated(std::string text, Dice& dice, std::span<const std::string_view> pieces) {
  const std::size_t edits = 1 + dice.below(4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = dice.below(text.size());
    switch (dice.below(6)) {
      case 0:
        text[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        text.insert(at, pieces[dice.below(pieces.size())]);
        break;
      case 2:
        text.erase(at, 1 + dice.below(8));
        break;
      case 3:
        text.insert(at, text.substr(dice.below(text.size()), dice.below(40)));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.replace(at, 1, pieces[dice.below(pieces.size())]);
        break;
    }
  }
  return text;
}

/// Damages a valid text many times: it is parsed, or refused with a message that begins with "fuzz:".
template <typename Read>
void expect_parsed_or_refused(const std::string& valid, int rounds, std::uint64_t seed,
                              std::span<const std::string_view> pieces, Read read) {
  ASSERT_NO_THROW(read(valid));
  Dice dice(seed);
  int parsed = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::string text = mutated(valid, dice, pieces);
    try {
      read(text);
      ++parsed;
    } catch (const Error& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 5), "fuzz:") << error.what();
    }
  }
  // Both outcomes must occur, or the loop tests nothing.
  EXPECT_GT(parsed, rounds / 50);
  EXPECT_LT(parsed, rounds);
}

}  // namespace mlpac
