// Labelled text (fastText): what becomes a row, a label and a text; writing labels back; damaged input.
#include "data/labelled_text.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using namespace std::string_literals;
using nlohmann::json;
using Names = std::vector<std::string>;

ReadOptions every_word() {
  ReadOptions options;
  options.text.min_rows = 1;
  return options;
}

ReadOptions known(Names names) {
  ReadOptions options = every_word();
  options.label_names = std::move(names);
  return options;
}

/// For prediction with a model whose vocabulary is `cat`, `dog`.
ReadOptions trained() {
  ReadOptions options = known({"a", "b"});
  options.labels_required = false;
  options.schema = {
      {"format", "text"},
      {"encoder", {{"kind", "vocabulary"}, {"ngrams", 1}, {"columns", 2}, {"terms", {"cat", "dog"}}, {"idf", {1, 2}}}}};
  return options;
}

FeatureData parse(std::string_view text, const ReadOptions& options = every_word()) {
  return parse_labelled_text(text, "x.txt", options);
}

json terms_of(const FeatureData& data) { return data.schema.at("encoder").at("terms"); }

TEST(LabelledText, LabelsThenText) {
  const FeatureData data = parse(
      "__label__b __label__a The cat\n"
      "\t__label__a\t__label__!b  a dog\r\n"
      "no label here\n"
      "\n"
      "   \t\n"
      "__label__c\n"
      "text __label__a goes __label__ on");
  EXPECT_EQ(data.source, "x.txt");
  EXPECT_EQ(data.label_names, (Names{"a", "b", "c"}));
  Labels expected(3);
  expected.append({{0, kAnnotated}, {1, kAnnotated}});
  expected.append({{0, kAnnotated}, {1, kKnownNegative}});
  expected.append({});
  expected.append({{2, kAnnotated}});
  expected.append({});  // a label behind the text is text
  EXPECT_EQ(data.labels, expected);
  EXPECT_EQ(terms_of(data), json({"a", "cat", "dog", "goes", "here", "label", "no", "on", "text", "the"}));
  EXPECT_EQ(data.features.columns, 10);
  EXPECT_EQ(data.features.offsets, (std::vector<std::int64_t>{0, 2, 4, 7, 7, 12}));
  EXPECT_TRUE(data.feature_names.empty());
  EXPECT_TRUE(data.ids.empty());
  EXPECT_EQ(data.schema.at("format"), "text");
}

TEST(LabelledText, NumbersAsLabelsAreSortedAsNumbers) {
  EXPECT_EQ(parse("__label__10 x\n__label__9 y\n__label__100 z\n").label_names, (Names{"9", "10", "100"}));
}

TEST(LabelledText, KnownLabelsKeepTheirOrder) {
  const FeatureData data = parse("__label__b x\n__label__!a __label__b y\n", known({"z", "b", "a"}));
  EXPECT_EQ(data.label_names, (Names{"z", "b", "a"}));
  EXPECT_EQ(data.labels.at(0, 1), kAnnotated);
  EXPECT_EQ(data.labels.at(1, 2), kKnownNegative);
  EXPECT_EQ(data.labels.count(kAnnotated), 2);
}

TEST(LabelledText, NamesAreUtf8AndMayHoldPunctuation) {
  const FeatureData data =
      parse("\xEF\xBB\xBF__label__caf\xE9 x\n__label__a,b;c:__label__d y\n__label__\u65e5\u672c z\n");
  EXPECT_EQ(data.label_names, (Names{"a,b;c:__label__d", "caf\u00e9", "\u65e5\u672c"}));
}

TEST(LabelledText, TheSpecDecidesTheColumns) {
  ReadOptions options = every_word();
  const std::string text = "__label__a one two\n__label__b one three\n";
  EXPECT_EQ(terms_of(parse(text, options)), json({"one", "three", "two"}));
  options.text.ngrams = 2;
  EXPECT_EQ(terms_of(parse(text, options)), json({"one", "one three", "one two", "three", "two"}));
  options.text.min_rows = 2;
  EXPECT_EQ(terms_of(parse(text, options)), json({"one"}));
  options.text.hashed = true;
  options.text.columns = 32;
  EXPECT_EQ(parse(text, options).features.columns, 32);
}

TEST(LabelledText, AModelReadsNewTextsWithItsVocabulary) {
  // A plain file: no label names, rows without classes.
  const FeatureData plain = parse("A dog\nunknown\n\ncat __label__a cat\n", trained());
  EXPECT_EQ(plain.features.columns, 2);
  EXPECT_EQ(plain.features.offsets, (std::vector<std::int64_t>{0, 1, 1, 2}));
  EXPECT_EQ(plain.features.indices, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(plain.features.values, (std::vector<float>{1, 1}));
  EXPECT_TRUE(plain.label_names.empty());
  EXPECT_EQ(plain.labels.rows(), 3);
  EXPECT_EQ(plain.labels.classes(), 0);
  EXPECT_EQ(plain.schema, trained().schema);
  // Labels that are there are read; those the model does not know are left out.
  const FeatureData labelled = parse("__label__b __label__new dog\nplain dog\n", trained());
  EXPECT_EQ(labelled.label_names, (Names{"a", "b"}));
  EXPECT_EQ(labelled.labels.count(kAnnotated), 1);
  EXPECT_EQ(labelled.labels.at(0, 1), kAnnotated);
  // Without a schema the format was forced and the encoder is fitted.
  ReadOptions forced = every_word();
  forced.labels_required = false;
  EXPECT_EQ(parse("just text\n", forced).features.columns, 2);
}

TEST(LabelledText, ReadAgainWithItsSchemaTheDataIsTheSame) {
  const std::string text = "__label__a one two two\n__label__b __label__!a three one\n\nfour\n";
  const FeatureData data = parse(text);
  ReadOptions options = every_word();
  options.label_names = data.label_names;
  options.schema = json::parse(data.schema.dump());
  const FeatureData again = parse(text, options);
  expect_equal(data, again);
  EXPECT_EQ(data.schema, again.schema);
}

TEST(LabelledText, IsRecognisedByAnyLineThatBeginsWithALabel) {
  EXPECT_TRUE(looks_like_labelled_text("__label__a text\n"));
  EXPECT_TRUE(looks_like_labelled_text("\xEF\xBB\xBF\n  __label__a"));
  EXPECT_TRUE(looks_like_labelled_text("no label\nnone\n__label__!a text\nthis line is cu"));
  EXPECT_FALSE(looks_like_labelled_text(""));
  EXPECT_FALSE(looks_like_labelled_text("text __label__a\n"));
  EXPECT_FALSE(looks_like_labelled_text("__label__ a\n"));
  EXPECT_FALSE(looks_like_labelled_text("a,b\n1,2\n__lab"));
  EXPECT_FALSE(looks_like_labelled_text("@relation r\n@attribute a numeric\n"));
}

TEST(LabelledText, FilesEqualTextsInMemory) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; text.size() < (std::size_t{5} << 20U); ++i) {  // more than one chunk of the reader
    text += "__label__" + std::to_string(i % 7) + " word" + std::to_string(i % 100) + " and more of the text" +
            std::string(300, '.') + "\n";
  }
  write_text(folder / "big.txt", text);
  const FeatureData data = read_labelled_text(folder / "big.txt", every_word());
  const FeatureData expected = parse(text);
  expect_equal(data, expected);
  EXPECT_EQ(data.schema, expected.schema);
  EXPECT_THROW(read_labelled_text(folder / "missing.txt", every_word()), Error);
}

TEST(LabelledText, RelabellingChangesNothingButLabels) {
  const std::string text =
      "\xEF\xBB\xBF__label__a  __label__b one, two \r\n\r\n  plain\xE9 text\n__label__!b\n \n__label__b x __label__a";
  FeatureData data = parse(text);
  // The same labels: only the blanks between labels change.
  EXPECT_EQ(
      relabel_text(text, "x.txt", data),
      "\xEF\xBB\xBF__label__a __label__b one, two \r\n\r\n  plain\xE9 text\n__label__!b\n \n__label__b x __label__a");
  Labels labels(2);
  labels.append({});
  labels.append({{0, kKnownNegative}, {1, kAnnotated}});
  labels.append({});
  labels.append({{0, kAnnotated}});
  data.labels = labels;
  const std::string expected =
      "\xEF\xBB\xBFone, two \r\n\r\n  __label__!a __label__b plain\xE9 text\n-\n \n__label__a x __label__a";
  const std::string written = relabel_text(text, "x.txt", data);
  EXPECT_EQ(written, expected);
  expect_equal(parse(written, known({"a", "b"})), data);
  const TemporaryFolder folder;
  write_text(folder / "r.txt", text);
  EXPECT_EQ(relabel_labelled_text(folder / "r.txt", every_word(), data), expected);
}

TEST(LabelledText, RelabellingRefusesWhatCannotBeReadBack) {
  const std::string text = "__label__a one\ntwo\n";
  const auto message = [&](const FeatureData& data) {
    try {
      relabel_text(text, "x.txt", data);
      return std::string("no error");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  for (const std::string& name : {"two words"s, ""s, "!a"s, "a\n"s, "a\0b"s, "\t"s}) {
    FeatureData data = parse(text);
    data.label_names = {name};
    EXPECT_NE(message(data).find("x.txt: label "), std::string::npos) << message(data);
  }
  FeatureData more = parse(text);
  more.labels.append({});
  EXPECT_NE(message(more).find("x.txt:2: the file has other rows than the 3"), std::string::npos) << message(more);
  FeatureData fewer = parse("__label__a one\n");
  EXPECT_NE(message(fewer).find("x.txt:2: the file has other rows than the 1"), std::string::npos) << message(fewer);
}

}  // namespace
}  // namespace mlpac
