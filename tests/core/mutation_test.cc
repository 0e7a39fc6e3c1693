// Valid files with random damage: every reader either parses them or throws Error. The seeds are fixed.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/random.h"
#include "data/arff.h"
#include "data/mulan_xml.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

/// Draws numbers for the mutations below.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : key_(seed) {}
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits_at(key_, next_++) % limit); }

 private:
  std::uint64_t key_;
  std::uint64_t next_ = 0;
};

std::string mutated(std::string text, Dice& dice) {
  static constexpr auto kPieces = std::to_array<std::string_view>(
      {"{",  "}",  ",",  "'",  "\"",           "\\",    "%",   "?",     "@",          "\n", "\r\n", " ",
       "\t", "0",  "1",  "-",  "9999999999",   "1e400", "nan", "@data", "@attribute", "<",  ">",    "&",
       ";",  "&#", "</", "/>", "\xEF\xBB\xBF", "\xFF"});
  const std::size_t edits = 1 + dice.below(4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = dice.below(text.size());
    switch (dice.below(6)) {
      case 0:
        text[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        text.insert(at, kPieces[dice.below(kPieces.size())]);
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
        text.replace(at, 1, kPieces[dice.below(kPieces.size())]);
        break;
    }
  }
  return text;
}

template <typename Read>
void mutate(const std::string& valid, int rounds, std::uint64_t seed, Read read) {
  ASSERT_NO_THROW(read(valid));
  Dice dice(seed);
  int parsed = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::string text = mutated(valid, dice);
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

TEST(Mutation, ArffParsesOrIsRefused) {
  const std::string valid =
      "% a comment\n@relation 'r s'\n@attribute a numeric\n@attribute 'b c' {p,'q r',\"s\"}\n@attribute d {YES,NO}\n"
      "@attribute y {0,1}\n@data\n1.5,p,YES,1\n-2e-3,'q r',NO,?\n{0 1,2 NO,3 1}\n{}\n?,s,YES,0,{5}\n{3 1,0 7},{2}\n";
  ReadOptions options;
  options.label_names = {"y"};
  options.labels_required = false;
  mutate(valid, 30000, 1, [&](const std::string& text) {
    const FeatureData data = parse_arff(text, "fuzz", options);
    // What was accepted must be consistent.
    ASSERT_EQ(data.features.rows(), data.labels.rows());
    ASSERT_EQ(data.feature_names.size(), static_cast<std::size_t>(data.features.columns));
    ASSERT_EQ(data.features.indices.size(), data.features.values.size());
    for (const std::int32_t column : data.features.indices) ASSERT_LT(column, data.features.columns);
  });
}

TEST(Mutation, LabelListsParseOrAreRefused) {
  const std::string valid =
      "<?xml version=\"1.0\"?>\n<!-- c -->\n<labels xmlns=\"http://m\">\n<label name=\"a\"><label name='b &amp; "
      "c'/></label>\n"
      "<label name=\"&#228;\"></label>\n</labels>\n";
  mutate(valid, 20000, 2, [](const std::string& text) { parse_label_names(text, "fuzz"); });
}

}  // namespace
}  // namespace mlpac
