// What libsvm files mean: rows, indices, labels with and without header or names.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/libsvm.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

using Names = std::vector<std::string>;
using Entries = std::vector<LabelEntry>;

FeatureData parse(std::string_view text, const Names& names = {}, bool required = true) {
  ReadOptions options;
  options.label_names = names;
  options.labels_required = required;
  return parse_libsvm(text, "x.svm", options);
}

Entries labels_of(const FeatureData& data, std::int64_t row) {
  const auto entries = data.labels.row(row);
  return {entries.begin(), entries.end()};
}

TEST(Libsvm, RowsHaveLabelsIndicesAndValues) {
  const FeatureData data = parse("3,1 1:0.5 7:-2e1\n1 2:1\n");
  EXPECT_EQ(data.source, "x.svm");
  EXPECT_EQ(data.features.columns, 8);  // indices are columns as they are written
  EXPECT_EQ(data.features.offsets, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(data.features.indices, (std::vector<std::int32_t>{1, 7, 2}));
  EXPECT_EQ(data.features.values, (std::vector<float>{0.5F, -20, 1}));
  EXPECT_TRUE(data.feature_names.empty());
  EXPECT_EQ(data.label_names, (Names{"1", "3"}));
  EXPECT_EQ(labels_of(data, 0), (Entries{{0, kAnnotated}, {1, kAnnotated}}));
  EXPECT_EQ(labels_of(data, 1), (Entries{{0, kAnnotated}}));
}

TEST(Libsvm, RowsWithoutLabelsStartWithABlankOrAFeature) {
  const FeatureData data = parse("1 2:1\n 3:1\n4:1\n\t5:1\n2\n");
  ASSERT_EQ(data.labels.rows(), 5);
  EXPECT_EQ(data.features.indices, (std::vector<std::int32_t>{2, 3, 4, 5}));
  for (const std::int64_t row : {1, 2, 3}) EXPECT_TRUE(labels_of(data, row).empty());
  EXPECT_EQ(labels_of(data, 4), (Entries{{1, kAnnotated}}));
  EXPECT_EQ(data.features.offsets.back(), data.features.offsets[4]);  // a row of labels only
}

TEST(Libsvm, CommentsQueriesBlanksAndWindowsLineEndsAreNothing) {
  const FeatureData plain = parse("1 2:1 3:1\n2,3 4:1\n");
  const FeatureData noisy =
      parse("\xEF\xBB\xBF# file\r\n\r\n1 qid:7\t2:1   3:1 # 9:9\r\n   \r\n  # row\r\n2,3 \t 4:1#5:5\r\n\r\n");
  EXPECT_EQ(noisy.features.indices, plain.features.indices);
  EXPECT_EQ(noisy.features.offsets, plain.features.offsets);
  EXPECT_EQ(noisy.features.columns, 5);
  EXPECT_EQ(noisy.labels, plain.labels);
}

TEST(Libsvm, IndicesAreSortedAndZerosLeftOut) {
  const FeatureData data = parse("1 9:0 7:7 0:0.0 3:3 5:-0\n");
  EXPECT_EQ(data.features.indices, (std::vector<std::int32_t>{3, 7}));
  EXPECT_EQ(data.features.values, (std::vector<float>{3, 7}));
  EXPECT_EQ(data.features.offsets.back(), 2);
  EXPECT_EQ(data.features.columns, 10);  // a zero still says that the column exists
  EXPECT_EQ(parse("1 000000000000000000000007:1\n").features.columns, 8);
}

TEST(Libsvm, NanIsMissing) {
  const FeatureData data = parse("1 1:nan 2:NaN 3:-nan\n");
  ASSERT_EQ(data.features.values.size(), 3U);
  for (const float value : data.features.values) EXPECT_TRUE(std::isnan(value));
}

TEST(Libsvm, CollectedLabelsAreSortedAsNumbers) {
  EXPECT_EQ(parse("10,9 1:1\n2 1:1\n100 1:1\n").label_names, (Names{"2", "9", "10", "100"}));
  EXPECT_EQ(parse("1.0,2.000e+00,+3,04 1:1\n1 1:1\n").label_names, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(parse("sea,beach 1:1\nsea,7 1:1\n").label_names, (Names{"7", "beach", "sea"}));
  EXPECT_EQ(parse("caf\xE9 1:1\n").label_names, (Names{"caf\xC3\xA9"}));
}

TEST(Libsvm, AnExclamationMarkIsAKnownNegative) {
  const FeatureData data = parse("1,!2,!3.0 1:1\n3,1,1,!sea 1:1\n");
  EXPECT_EQ(data.label_names, (Names{"1", "2", "3", "sea"}));
  EXPECT_EQ(labels_of(data, 0), (Entries{{0, kAnnotated}, {1, kKnownNegative}, {2, kKnownNegative}}));
  EXPECT_EQ(labels_of(data, 1), (Entries{{0, kAnnotated}, {2, kAnnotated}, {3, kKnownNegative}}));
  EXPECT_EQ(labels_of(parse("1 1 2\n!1,0 0:1\n"), 0), (Entries{{0, kAnnotated}, {1, kKnownNegative}}));
}

TEST(Libsvm, TheHeaderFixesTheShape) {
  const FeatureData data = parse("# XMLRepo\n3 5 4\n2,0 0:1 4:1\n 1:1\n3\n");
  EXPECT_EQ(data.features.rows(), 3);
  EXPECT_EQ(data.features.columns, 5);
  EXPECT_EQ(data.label_names, (Names{"0", "1", "2", "3"}));
  EXPECT_EQ(labels_of(data, 0), (Entries{{0, kAnnotated}, {2, kAnnotated}}));
  EXPECT_EQ(labels_of(data, 2), (Entries{{3, kAnnotated}}));
  EXPECT_EQ(parse("1 5 100000\n2 4:1\n").labels.classes(), 100000);
}

TEST(Libsvm, BelowAHeaderEmptyLinesAreRowsUntilAllAreThere) {
  const FeatureData data = parse("4 2 2\n\n0 1:1\n  \n# no row\n1 0:1\n\n \n");
  ASSERT_EQ(data.features.rows(), 4);
  EXPECT_EQ(data.features.offsets, (std::vector<std::int64_t>{0, 0, 1, 1, 2}));
  EXPECT_TRUE(labels_of(data, 0).empty());
  EXPECT_EQ(labels_of(data, 1), (Entries{{0, kAnnotated}}));
  EXPECT_TRUE(labels_of(data, 2).empty());
}

TEST(Libsvm, GivenNumbersAreMatchedByName) {
  const FeatureData data = parse("7,20 1:1\n", {"20", "7", "5"});
  EXPECT_EQ(data.label_names, (Names{"20", "7", "5"}));
  EXPECT_EQ(labels_of(data, 0), (Entries{{0, kAnnotated}, {1, kAnnotated}}));
  EXPECT_EQ(labels_of(parse("7.0,!020 1:1\n", {"020", "07"}), 0), (Entries{{0, kKnownNegative}, {1, kAnnotated}}));
  EXPECT_EQ(parse("7 1:1\n", {"020", "07"}).label_names, (Names{"020", "07"}));
  EXPECT_EQ(labels_of(parse("-1 1:1\n+1 1:1\n", {"1", "-1"}), 0), (Entries{{1, kAnnotated}}));
  // With a header too: the data set has more labels than the list, which is no matter as long as rows have none of
  // them.
  EXPECT_EQ(labels_of(parse("1 2 30\n7,20 1:1\n", {"20", "7"}), 0), (Entries{{0, kAnnotated}, {1, kAnnotated}}));
  EXPECT_EQ(labels_of(parse("1 2 3\n2,0 1:1\n", {"0", "1", "2"}), 0), (Entries{{0, kAnnotated}, {2, kAnnotated}}));
}

TEST(Libsvm, OtherwiseNumbersArePositionsOfTheGivenNames) {
  const Names names{"beach", "sea", "!odd"};
  EXPECT_EQ(labels_of(parse("1 0:1\n", names), 0), (Entries{{1, kAnnotated}}));
  EXPECT_EQ(labels_of(parse("sea,!beach,!odd 0:1\n", names), 0),
            (Entries{{0, kKnownNegative}, {1, kAnnotated}, {2, kAnnotated}}));
  EXPECT_EQ(labels_of(parse("1 1 3\n2,!0,sea 0:1\n", names), 0),
            (Entries{{0, kKnownNegative}, {1, kAnnotated}, {2, kAnnotated}}));
  EXPECT_EQ(parse("1 0:1\n", names).label_names, names);
}

TEST(Libsvm, UnknownLabelsAreLeftOutOnlyIfLabelsAreNotRequired) {
  for (const Names& names : {Names{"5", "6"}, Names{"a", "b"}, Names{"0", "1"}}) {
    EXPECT_THROW(parse("9 1:1\n", names), Error);
    const FeatureData data = parse("9,zebra 1:1\n" + names[1] + " 1:1\n", names, false);
    EXPECT_EQ(data.label_names, names);
    EXPECT_TRUE(labels_of(data, 0).empty());
    EXPECT_EQ(labels_of(data, 1), (Entries{{1, kAnnotated}}));
  }
}

TEST(Libsvm, UnlabelledDataIsAcceptedIfLabelsAreNotRequired) {
  for (const Names& names : {Names{}, Names{"5", "6"}, Names{"a", "b"}}) {
    const FeatureData data = parse(" 1:1\n2:1\n", names, false);
    EXPECT_EQ(data.features.rows(), 2);
    EXPECT_EQ(data.labels.rows(), 2);
    EXPECT_EQ(data.labels.classes(), 0);
    EXPECT_TRUE(data.label_names.empty());
  }
  EXPECT_EQ(parse("1 2 0\n 1:1\n", {"a", "b"}, false).labels.rows(), 1);
  // A complete file may well have rows of which no known label is true.
  EXPECT_EQ(parse(" 1:1\n", {"a", "b"}).labels.classes(), 2);
}

TEST(Libsvm, OptionsOfOtherFormatsDoNotMatter) {
  ReadOptions options;
  options.label_columns = {"a*"};
  options.label_list = "tags";
  options.text.hashed = true;
  EXPECT_EQ(parse_libsvm("1 1:1\n", "x", options).label_names, (Names{"1"}));
}

TEST(Libsvm, ItIsRecognised) {
  for (const std::string_view text : {"1,2 3:4\n", "3:4\n", " 3:4", "1 3:4", "# comment\n\n!1,2 3:4 5:nan # c\n",
                                      "2 10 5\n0,1 2:1\n", "1 qid:3 4:1\n", "1\n2\n1 3:4\n", "sea,beach 1:0.5 7:1\n",
                                      "-1 3:4\n", "1.0,2.0 3:4\r\n", "3 10 5\n\n1 1:1\n", "\xEF\xBB\xBF# c\n1 2:3\n"}) {
    EXPECT_TRUE(looks_like_libsvm(text)) << text;
  }
}

TEST(Libsvm, ACutLastLineIsRecognised) {
  const std::string text = "2 10 5\n12,3 2:1.5 3:-1e-3 4:nan # comment\n1,4 7:2 8:3\n";
  const std::string plain = text.substr(7);
  for (const std::string& whole : {text, plain}) {
    const std::size_t first_feature = whole.find("2:1.5") + 3;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      EXPECT_EQ(looks_like_libsvm(whole.substr(0, size)), size >= first_feature) << whole.substr(0, size);
    }
  }
}

TEST(Libsvm, OtherFormatsAreNotRecognised) {
  for (const std::string_view text : {"",
                                      "\n\n",
                                      "# only a comment\n",
                                      "1,2,3\n4,5,6\n",
                                      "a,b,c\n1,2,3\n",
                                      "id,time\n1,2020-01-01 10:20\n",
                                      "x,y\n1,2 10:20\n",
                                      "1;2;3\n",
                                      "a\tb\n1\t2\n",
                                      "@relation r\n@attribute a numeric\n@data\n1\n",
                                      "% c\n@relation r\n",
                                      "__label__a __label__b some words\n",
                                      "__label__a 10:30\n",
                                      "__label__a 10:30 12:30 14:30\n",
                                      "It was 10:30 when we left.\n",
                                      "lunch 12:30\ndinner 19:00\n",
                                      "hello\n",
                                      "hello",
                                      "1 2 3\n4 5 6\n",
                                      "1 2 3\n",
                                      "1 2\n",
                                      "{\"a\": 1}\n",
                                      "[1, 2]\n",
                                      "<xml a='1:2'/>\n",
                                      "10:20:30\n",
                                      "a:1 b:2\n",
                                      "1, 2:3\n",
                                      "key: 5\n",
                                      "1 3:4\n1 2 3\n",
                                      "1 3:?\n",
                                      "\x89PNG\r\n",
                                      "1 3:4\nprose follows here\n"}) {
    EXPECT_FALSE(looks_like_libsvm(text)) << text;
  }
}

}  // namespace
}  // namespace mlpac
