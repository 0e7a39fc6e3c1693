// Labelled text that is not what it should be: refused with the place, or read consistently.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/labelled_text.h"
#include "data/line_reader.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "refusals.h"

namespace mlpac {
namespace {

using namespace std::string_literals;
using nlohmann::json;

ReadOptions labels_a_b() {
  ReadOptions options;
  options.text.min_rows = 1;
  options.label_names = {"a", "b"};
  return options;
}

ReadOptions collected() {
  ReadOptions options = labels_a_b();
  options.label_names.clear();
  return options;
}

ReadOptions plain_texts() {
  ReadOptions options = labels_a_b();
  options.labels_required = false;
  return options;
}

ReadOptions trained() {
  ReadOptions options = plain_texts();
  options.schema = {
      {"format", "text"},
      {"encoder", {{"kind", "vocabulary"}, {"ngrams", 1}, {"columns", 1}, {"terms", {"cat"}}, {"idf", {1}}}}};
  return options;
}

void expect_refused(const Bad& bad, const ReadOptions& options) {
  expect_refused(bad, "x.txt", [&](const std::string& text) { parse_labelled_text(text, "x.txt", options); });
}

TEST(LabelledTextMalformed, Lines) {
  const std::vector<Bad> table{
      {"", 1, "no rows"},
      {"\n", 1, "no rows"},
      {"\r\n \n\t\n", 3, "no rows"},
      {"\xEF\xBB\xBF", 1, "no rows"},
      {"\xEF\xBB\xBF\n\n", 2, "no rows"},
      {"__label__a", 1, "no line has a text"},
      {"__label__a\n__label__b\n", 2, "no line has a text"},
      {"__label__a \t \r\n", 1, "no line has a text"},
      {"__label__a __label__b", 1, "no line has a text"},
      {"some text\n", 1, "no line begins with a label"},
      {"some text\nand more\n\n", 3, "no line begins with a label"},
      {"text first __label__a\n", 1, "no line begins with a label"},
      {"_label_a text\n", 1, "no line begins with a label"},
      {"__LABEL__a text\n", 1, "no line begins with a label"},
      {"__label_a text\n", 1, "no line begins with a label"},
      {"\xEF\xBB\xBF\xEF\xBB\xBF__label__a text\n", 1, "no line begins with a label"},
      {"__label__ text\n", 1, "without a name"},
      {"__label__", 1, "without a name"},
      {"__label__\t__label__a text\n", 1, "without a name"},
      {"__label__a text\n__label__b __label__ text\n", 2, "without a name"},
      {"__label__! text\n", 1, "'__label__!'"},
      {"__label__a text\n\n__label__! text\n", 3, "'__label__!'"},
      {"__label__c text\n", 1, "'c'"},
      {"__label__a text\n__label__A text\n", 2, "'A'"},
      {"__label__a text\n__label__!c text\n", 2, "'!c'"},
      {"__label__!!a text\n", 1, "'!!a'"},
      {"__label__a, text\n", 1, "'a,'"},
      {"__label__a__label__b text\n", 1, "'a__label__b'"},
      {"__label__a|b text\n", 1, "among the 2 labels"},
      {"__label__a __label__!a text\n", 1, "'a' is given as positive and as negative"},
      {"__label__a x\n__label__!b __label__a __label__b y\n", 2, "'b' is given as positive and as negative"},
      {"__label__a te\0xt\n"s, 1, "zero byte"},
      {"__label__a\0 text\n"s, 1, "zero byte"},
      {"__label__a text\n\0"s, 2, "zero byte"},
      {"\xFF\xFE_\0_\0l\0a\0"s, 1, "UTF-16"},
      {"\x7F"s + "ELF\x02\x01\x01\0\0\0"s, 1, "binary"},
      {"\x1F\x8B\x08\0\0\0\0\0"s, 1, "binary"},
      {"__label__a ... !\n__label__b --\n", 0, "none of the 2 texts has a word"},
      {"__label__a \xC2\xA0\n", 0, "none of the 1 texts has a word"},
      {"__label__" + std::string(1000, 'n') + " text\n", 1, "nnn..."},
  };
  for (const Bad& bad : table) expect_refused(bad, labels_a_b());
}

TEST(LabelledTextMalformed, CollectedLabels) {
  const std::vector<Bad> table{
      {"text\n", 1, "no line begins with a label"},
      {"__label__x\n", 1, "no line has a text"},
      {"__label__x __label__!x y\n", 1, "'x' is given"},
      {"__label__!x __label__x y\n", 1, "'x' is given"},
      {"__label__\n", 1, "without a name"},
  };
  for (const Bad& bad : table) expect_refused(bad, collected());
}

TEST(LabelledTextMalformed, PlainTextsForPrediction) {
  for (const ReadOptions& options : {plain_texts(), trained()}) {
    const std::vector<Bad> table{
        {"", 1, "no rows"},
        {" \n", 1, "no rows"},
        {"__label__a\n", 1, "no line has a text"},
        {"__label__c\n", 1, "no line has a text"},
        {"__label__ cat\n", 1, "without a name"},
        {"cat\nc\0t\n"s, 2, "zero byte"},
        {"cat\n__label__a __label__!a cat\n", 2, "'a' is given"},
    };
    for (const Bad& bad : table) expect_refused(bad, options);
  }
}

TEST(LabelledTextMalformed, ASmallFileMayHaveNoFrequentWord) {
  ReadOptions options = labels_a_b();
  options.text.min_rows = 2;
  expect_refused({"__label__a one\n__label__b two\n", 0, "no term occurs in at least 2 of the 2 texts"}, options);
}

TEST(LabelledTextMalformed, DamagedSchemas) {
  const auto with = [](json schema) {
    ReadOptions options = trained();
    options.schema = std::move(schema);
    return options;
  };
  const std::string text = "cat\n";
  ASSERT_NO_THROW(parse_labelled_text(text, "x.txt", trained()));
  expect_refused({text, 0, "damaged"}, with(5));
  expect_refused({text, 0, "damaged"}, with(json::array()));
  expect_refused({text, 0, "damaged"}, with(json::object()));
  expect_refused({text, 0, "damaged"}, with({{"format", 1}}));
  expect_refused({text, 0, "the format 'csv'"}, with({{"format", "csv"}}));
  expect_refused({text, 0, "damaged: it is no object"}, with({{"format", "text"}}));
  expect_refused({text, 0, "damaged: it is no object"}, with({{"format", "text"}, {"encoder", 1}}));
  expect_refused({text, 0, "damaged: 'kind'"}, with({{"format", "text"}, {"encoder", json::object()}}));
}

TEST(LabelledTextMalformed, AnOverlongLineIsRefused) {
  std::string text = "__label__a x\n";
  text.append(LineReader::kLongestLine + 1, 'x');
  expect_refused({std::move(text), 2, "256 MB"}, labels_a_b());
}

TEST(LabelledTextMalformed, RandomDamageIsReadOrRefused) {
  static constexpr auto kPieces = std::to_array<std::string_view>(
      {"__label__", "__label__a ", "!", " ", "\t", "\n", "\r\n", "'", "\xEF\xBB\xBF", "\xFF", "\xE2\x80\x99", "\xC3"});
  const std::string valid =
      "__label__a __label__!b It's a caf\u00e9\n\nplain \u65e5\u672c text\n__label__b again a text\r\n__label__a\n";
  int round = 0;
  expect_parsed_or_refused(valid, 5'000, 3, kPieces, [&](const std::string& text) {
    const FeatureData data = parse_labelled_text(text, "fuzz", round++ % 2 == 0 ? labels_a_b() : collected());
    ASSERT_EQ(data.features.rows(), data.labels.rows());
    ASSERT_EQ(data.label_names.size(), static_cast<std::size_t>(data.labels.classes()));
    // Writing the labels back gives a file with the same labels and texts.
    ReadOptions options = labels_a_b();
    options.label_names = data.label_names;
    const FeatureData again = parse_labelled_text(relabel_text(text, "fuzz", data), "fuzz", options);
    ASSERT_EQ(again.labels, data.labels);
    ASSERT_EQ(again.features.indices, data.features.indices);
    ASSERT_EQ(again.features.values, data.features.values);
  });
}

}  // namespace
}  // namespace mlpac
