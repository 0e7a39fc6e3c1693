// What a word is: ranges of code points, lower case, apostrophes, limits.
#include "data/tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mlpac {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;

Words words(std::string_view text) {
  Words found;
  Tokens tokens(text);
  while (tokens.next()) found.emplace_back(tokens.token());
  return found;
}

TEST(Tokens, AsciiWordsEndAtEverythingThatIsNoLetterOrDigit) {
  EXPECT_EQ(words("The quick-brown FOX, 42 times!"), (Words{"the", "quick", "brown", "fox", "42", "times"}));
  EXPECT_EQ(words("snake_case x=3.14 a/b\tc\x01"
                  "d"),
            (Words{"snake", "case", "x", "3", "14", "a", "b", "c", "d"}));
  EXPECT_EQ(words("a\0b\x7F"
                  "c"s),
            (Words{"a", "b", "c"}));
  EXPECT_EQ(words(""), Words{});
  EXPECT_EQ(words(" \t.,;_-'\"@[]`{}~^"), Words{});
}

TEST(Tokens, AnApostropheBetweenLettersBelongsToTheWord) {
  EXPECT_EQ(words("Don't 'quote' dogs' l'homme rock'n'roll"),
            (Words{"don't", "quote", "dogs", "l'homme", "rock'n'roll"}));
  EXPECT_EQ(words("don\u2019t \u2018quote\u2019 aujourd\u2019hui \u00c9t\u2019\u00e9"),
            (Words{"don't", "quote", "aujourd'hui", "\u00e9t'\u00e9"}));
  EXPECT_EQ(words("a''b '' ' a' 'b"), (Words{"a", "b", "a", "b"}));
  EXPECT_EQ(words("x'\u65e5"), (Words{"x", "\u65e5"}));
}

TEST(Tokens, LowerCaseOfEuropeanAlphabets) {
  EXPECT_EQ(words("\u00c4\u00d6\u00dc\u00df \u00c0\u00de\u00d8"),
            (Words{"\u00e4\u00f6\u00fc\u00df", "\u00e0\u00fe\u00f8"}));
  // Latin Extended-A: pairs that begin with an even and with an odd code, and the exceptions.
  EXPECT_EQ(words("\u0100\u0101\u012e\u0132\u0136\u0139\u0147\u014a\u0150\u0176\u0178\u0179\u017d\u017f\u0130"),
            (Words{"\u0101\u0101\u012f\u0133\u0137\u013a\u0148\u014b\u0151\u0177\u00ff\u017a\u017es"
                   "i"}));
  EXPECT_EQ(words("\u0131\u0138\u013a\u0148\u0149\u017e\u017a"), (Words{"\u0131\u0138\u013a\u0148\u0149\u017e\u017a"}));
  EXPECT_EQ(words("\u0386\u0388\u0389\u038a\u038c\u038e\u038f\u0391\u03a9\u03aa\u03ab"),
            (Words{"\u03ac\u03ad\u03ae\u03af\u03cc\u03cd\u03ce\u03b1\u03c9\u03ca\u03cb"}));
  EXPECT_EQ(words("\u039f\u0394\u039f\u03a3"), words("\u03bf\u03b4\u03bf\u03c2"));  // with a final sigma
  EXPECT_EQ(words("\u041c\u041e\u0421\u041a\u0412\u0410 \u0401\u0416 \u0407\u0490 \u04c0\u04c1\u04d8"),
            (Words{"\u043c\u043e\u0441\u043a\u0432\u0430", "\u0451\u0436", "\u0457\u0491", "\u04cf\u04c2\u04d9"}));
  EXPECT_EQ(words("\u0531\u0556 \u1ea0\u1ef8 \u1e9e"), (Words{"\u0561\u0586", "\u1ea1\u1ef9", "\u00df"}));
  EXPECT_EQ(words("\uff21\uff22\uff43\uff11"), (Words{"abc1"}));  // full-width
  EXPECT_EQ(words("\u05d0\u05d1 \u0627\u0628 \u0e01\u0e02"), (Words{"\u05d0\u05d1", "\u0627\u0628", "\u0e01\u0e02"}));
}

TEST(Tokens, PunctuationBeyondAsciiEndsWords) {
  for (const std::string_view separator :
       {"\u0080", "\u00a0", "\u00a1", "\u00a7", "\u00ab", "\u00bb", "\u00bf", "\u00d7", "\u00f7", "\u037e",
        "\u2000", "\u200b", "\u2013", "\u2014", "\u2018", "\u201c", "\u201d", "\u2026", "\u2028", "\u2029",
        "\u202f", "\u20ac", "\u2190", "\u2212", "\u25a0", "\u3000", "\u3001", "\u3002", "\u300c", "\u303f",
        "\u060c", "\u061f", "\u0964", "\u30fb", "\uff01", "\uff0c", "\uff1a", "\uff5e", "\ufffd", "\ufe50"}) {
    EXPECT_EQ(words("ab" + std::string(separator) + "cd"), (Words{"ab", "cd"})) << separator;
  }
}

TEST(Tokens, InvisibleCharactersAreLeftOutOfWords) {
  EXPECT_EQ(words("\ufeffhy\u00adphen\u200dated\u200c \u2060word\u2060"), (Words{"hyphenated", "word"}));
  EXPECT_EQ(words("\u00ad \u200d"), Words{});
}

TEST(Tokens, IdeographsAndPictographsAreWordsOfTheirOwn) {
  EXPECT_EQ(words("\u6771\u4eac\u306e C++\u3067\u3059\u3002"),
            (Words{"\u6771", "\u4eac", "\u306e", "c", "\u3067", "\u3059"}));
  EXPECT_EQ(words("ab\u30ab\u30ebcd"), (Words{"ab", "\u30ab", "\u30eb", "cd"}));
  EXPECT_EQ(words("\ud55c\uad6d\uc5b4"), (Words{"\ud55c", "\uad6d", "\uc5b4"}));
  EXPECT_EQ(words("\u3400\u9fff\U00020000\u3005\u3007"), (Words{"\u3400", "\u9fff", "\U00020000", "\u3005", "\u3007"}));
  EXPECT_EQ(words("great\U0001F600\U0001F600 \u2764\ufe0f \U0001F44D\U0001F3FD"),
            (Words{"great", "\U0001F600", "\U0001F600", "\u2764", "\U0001F44D"}));
}

TEST(Tokens, WhatIsNotUtf8IsLatin1) {
  EXPECT_EQ(words("Caf\xC9 \xABna\xEFve\xBB"), (Words{"caf\u00e9", "na\u00efve"}));
  EXPECT_EQ(words("\xE9t\xE9 \u00e9"), (Words{"\u00e9t\u00e9", "\u00e3"}));  // one wrong byte makes all of it Latin-1
  EXPECT_EQ(words("a\xC3"), (Words{"a\u00e3"}));                             // cut off
  EXPECT_EQ(words("\xED\xA0\x80"), (Words{"\u00ed"}));                       // a surrogate
  EXPECT_EQ(words("\xFE\xFF"), (Words{"\u00fe\u00ff"}));
}

TEST(Tokens, LongWordsAreCutBetweenCharacters) {
  const std::string longest(Tokens::kLongestToken, 'x');
  EXPECT_EQ(words(longest), Words{longest});
  EXPECT_EQ(words(longest + "yz a"), (Words{longest, "a"}));
  const std::string odd = "x" + std::string(98, 'y');  // 99 bytes: a character of two does not fit
  EXPECT_EQ(words(odd + "\u00e9z b"), (Words{odd, "b"}));
  EXPECT_EQ(words(odd.substr(0, 98) + "\u00e9z"), (Words{odd.substr(0, 98) + "\u00e9"}));
  EXPECT_EQ(words(odd + "\U00010400z"), Words{odd});
  std::string russian;
  for (int i = 0; i < 80; ++i) russian += "\u0444";
  EXPECT_EQ(words(russian), Words{russian.substr(0, 100)});
  EXPECT_EQ(words(std::string(1'000'000, 'q')).at(0).size(), Tokens::kLongestToken);
}

}  // namespace
}  // namespace mlpac
