// Tokenisers with small vocabularies, the pattern of GPT-2, and the properties of characters they rest on.
#include "mlpac/tokeniser.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "mlpac/error.h"
#include "refusals.h"
#include "temporary_data.h"
#include "text/gpt2_pattern.h"
#include "text/unicode.h"

namespace mlpac {
namespace {

using namespace std::string_literals;
using Ids = std::vector<std::int32_t>;

constexpr std::string_view kPieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\n,\nnaive\ne\n中\n*\n";

std::unique_ptr<Tokeniser> word_piece(bool uncased = false) { return make_word_piece(kPieces, uncased, "v.txt"); }

/// Bytes a, b, c and the blank, the merges ab and abc.
std::unique_ptr<Tokeniser> byte_pair() {
  return make_byte_pair(R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"c":6,"Ġ":7,"ab":8,"abc":9,"<mask>":10})",
                        "#version: 0.2\na b\nab c\n", "v.json", "m.txt");
}

Ids encode(const Tokeniser& tokeniser, std::string_view text) {
  Ids ids;
  tokeniser.encode(text, ids);
  return ids;
}

TEST(Unicode, Characters) {
  EXPECT_EQ(unicode::character_at("é", 0).code, 0xE9U);
  EXPECT_EQ(unicode::character_at("😀", 0).bytes, 4U);
  for (const std::string_view bad : {"\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_EQ(unicode::character_at(bad, 0).code, unicode::kReplacement);
    EXPECT_EQ(unicode::character_at(bad, 0).bytes, 1U);
  }
  for (const char32_t code : {0x24U, 0xE9U, 0x20ACU, 0x1F600U}) {
    std::string text;
    unicode::append(text, code);
    EXPECT_EQ(unicode::character_at(text, 0).code, code);
    EXPECT_EQ(unicode::character_at(text, 0).bytes, text.size());
  }
}

TEST(Unicode, Kinds) {
  using unicode::Kind;
  EXPECT_EQ(unicode::kind_of('a'), Kind::letter);
  EXPECT_EQ(unicode::kind_of('7'), Kind::number);
  EXPECT_EQ(unicode::kind_of('$'), Kind::other);
  EXPECT_EQ(unicode::kind_of(0x2014), Kind::punctuation);
  EXPECT_EQ(unicode::kind_of(0x301), Kind::mark);
  EXPECT_EQ(unicode::kind_of(0xA0), Kind::space);
  EXPECT_EQ(unicode::kind_of(0xAD), Kind::control);
  EXPECT_EQ(unicode::kind_of(0x10FFFF), Kind::control);
  EXPECT_TRUE(unicode::is_white_space(0x2028));
  EXPECT_FALSE(unicode::is_white_space(0x200B));
}

TEST(Unicode, LowerCaseAndAccents) {
  EXPECT_EQ(unicode::lower('Z'), U'z');
  EXPECT_EQ(unicode::lower(U'Ä'), U'ä');
  EXPECT_EQ(unicode::lower(U'Σ'), U'σ');
  EXPECT_EQ(unicode::lower(U'Ż'), U'ż');
  EXPECT_EQ(unicode::lower(U'ż'), U'ż');
  EXPECT_EQ(unicode::lower(U'中'), U'中');
  const auto base = [](char32_t code) {
    std::vector<char32_t> text;
    unicode::append_base(text, code);
    return text;
  };
  EXPECT_EQ(base(U'é'), (std::vector<char32_t>{U'e'}));
  EXPECT_EQ(base(0x1EBF), (std::vector<char32_t>{U'e'}));  // two accents
  EXPECT_EQ(base(U'ø'), (std::vector<char32_t>{U'ø'}));
  EXPECT_EQ(base(0x301), std::vector<char32_t>());
  EXPECT_EQ(base(U'한'), (std::vector<char32_t>{0x1112, 0x1161, 0x11AB}));
  EXPECT_EQ(base(U'가'), (std::vector<char32_t>{0x1100, 0x1161}));
}

TEST(WordPiece, LongestPiecesFirst) {
  const auto tokeniser = word_piece();
  EXPECT_EQ(encode(*tokeniser, "unaffable"), (Ids{5, 6, 7}));
  EXPECT_EQ(encode(*tokeniser, "unaffabl"), (Ids{1}));
  EXPECT_EQ(encode(*tokeniser, "un,un"), (Ids{5, 8, 5}));
  EXPECT_EQ(encode(*tokeniser, " un\tun\n"), (Ids{5, 5}));
  EXPECT_EQ(encode(*tokeniser, "un\u00ADaff\u200Bable"), (Ids{5, 6, 7}));  // soft hyphen, zero-width space
  EXPECT_EQ(encode(*tokeniser, "un中un"), (Ids{5, 11, 5}));
  EXPECT_EQ(encode(*tokeniser, "un[MASK]un"), (Ids{5, 4, 5}));
  EXPECT_EQ(encode(*tokeniser, "un\xFFun"), (Ids{1}));
  EXPECT_EQ(encode(*tokeniser, ""), Ids());
  EXPECT_EQ(tokeniser->start_id(), 2);
  EXPECT_EQ(tokeniser->end_id(), 3);
  EXPECT_EQ(tokeniser->id_of("*"), 12);
  EXPECT_EQ(tokeniser->id_of("+"), -1);
}

TEST(WordPiece, UncasedLosesCaseAndAccents) {
  EXPECT_EQ(encode(*word_piece(true), "NAÏVE É"), (Ids{9, 10}));
  EXPECT_EQ(encode(*word_piece(false), "NAÏVE"), (Ids{1}));
  EXPECT_EQ(encode(*word_piece(true), "nai\u0308ve [MASK]"), (Ids{9, 4}));
}

TEST(BytePair, MergesInTheOrderLearned) {
  const auto tokeniser = byte_pair();
  EXPECT_EQ(encode(*tokeniser, "abc"), (Ids{9}));
  EXPECT_EQ(encode(*tokeniser, "abab"), (Ids{8, 8}));
  EXPECT_EQ(encode(*tokeniser, "bab c"), (Ids{5, 8, 7, 6}));
  EXPECT_EQ(encode(*tokeniser, "d"), (Ids{3}));
  EXPECT_EQ(encode(*tokeniser, "</s>a  <mask>"), (Ids{2, 4, 10}));
  EXPECT_EQ(tokeniser->separators(), 2);
}

TEST(BytePair, PatternOfGpt2) {
  const auto pieces = [](std::string_view text) {
    std::vector<std::string> found;
    split_gpt2(text, [&](std::string_view piece) { found.emplace_back(piece); });
    return found;
  };
  EXPECT_EQ(pieces("I'll pay $5.00"), (std::vector<std::string>{"I", "'ll", " pay", " $", "5", ".", "00"}));
  EXPECT_EQ(pieces("a   b "), (std::vector<std::string>{"a", "  ", " b", " "}));
  EXPECT_EQ(pieces("\t\tx"), (std::vector<std::string>{"\t", "\t", "x"}));
  EXPECT_EQ(pieces("Ünï2½!?"), (std::vector<std::string>{"Ünï", "2½", "!?"}));
}

TEST(Tokeniser, CachesAreIndependent) {
  const auto tokeniser = word_piece();
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&tokeniser, &count] {
      WordCache cache(*tokeniser);
      for (int i = 0; i < 1000; ++i) {
        const auto ids = cache.encode(i % 2 == 0 ? "unaffable" : "un,");
        if (Ids(ids.begin(), ids.end()) != (i % 2 == 0 ? Ids{5, 6, 7} : Ids{5, 8})) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Tokeniser, ReadsFolders) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_tokeniser(folder / "."), Error);
  write_text(folder / "vocab.txt", std::string(kPieces));
  EXPECT_EQ(encode(*read_tokeniser(folder / "."), "NAÏVE"), (Ids{9}));  // no capitals: uncased
  write_text(folder / "tokenizer_config.json", R"({"do_lower_case": false})");
  EXPECT_EQ(encode(*read_tokeniser(folder / "."), "NAÏVE"), (Ids{1}));
  write_text(folder / "tokenizer_config.json", R"({"do_lower_case": 1})");
  EXPECT_THROW(read_tokeniser(folder / "."), Error);
}

TEST(TokeniserMalformed, Vocabularies) {
  const std::vector<Bad> lines{
      {"", 0, "no tokens"}, {"[UNK]\n\na\n", 2, "empty"}, {"a\nb\na\n", 3, "again"}, {"[UNK]\n[CLS]\n", 0, "[SEP]"}};
  for (const Bad& bad : lines) {
    expect_refused(bad, "v.txt", [](const std::string& text) { make_word_piece(text, false, "v.txt"); });
  }
  const std::vector<Bad> objects{{"", 0, "JSON"},
                                 {"[]", 0, "JSON"},
                                 {"{\"a\": 1}", 0, "0 to 0"},
                                 {"{\"a\": \"0\"}", 0, "id"},
                                 {"{\"a\":0,\"b\":0}", 0, "once"},
                                 {"{\"<s>\": 0}", 0, "</s>"}};
  for (const Bad& bad : objects) {
    expect_refused(bad, "v.json", [](const std::string& text) { make_byte_pair(text, "", "v.json", "m.txt"); });
  }
  const std::string vocabulary = R"({"<|endoftext|>": 0})";
  const std::vector<Bad> merges{{"a\n", 1, "two symbols"}, {"a b\n c\n", 2, "two"}, {"#version\na b c\n", 2, "two"}};
  for (const Bad& bad : merges) {
    expect_refused(bad, "m.txt", [&](const std::string& text) { make_byte_pair(vocabulary, text, "v.json", "m.txt"); });
  }
}

}  // namespace
}  // namespace mlpac
