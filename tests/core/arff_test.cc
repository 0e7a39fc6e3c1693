#include "data/arff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using Names = std::vector<std::string>;

FeatureData parse(const std::string& text, const Names& labels = {"y"}) {
  ReadOptions options;
  options.label_names = labels;
  return parse_arff(text, "test.arff", options);
}

/// One row of features as a dense vector.
std::vector<float> dense(const FeatureMatrix& matrix, std::int64_t row) {
  std::vector<float> values(static_cast<std::size_t>(matrix.columns), 0.0F);
  const auto first = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
  const auto last = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
  for (std::size_t i = first; i < last; ++i) {
    if (i > first) {
      EXPECT_LT(matrix.indices[i - 1], matrix.indices[i]);
    }
    values[static_cast<std::size_t>(matrix.indices[i])] = matrix.values[i];
  }
  return values;
}

TEST(Arff, ReadsDenseRows) {
  const FeatureData data = parse(
      "% a comment\n@RELATION 'some name'\n\n@Attribute a NUMERIC\n@attribute b real\n@attribute c Integer\n"
      "@attribute y {0,1}\n@DATA\n1,2.5,-3,1\n% another\n\n  0 , -1e-3 ,+7,0  \n.5\t1.\t0\t1 % trailing\n");
  EXPECT_EQ(data.source, "test.arff");
  EXPECT_EQ(data.feature_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(data.label_names, Names{"y"});
  ASSERT_EQ(data.features.rows(), 3);
  EXPECT_EQ(dense(data.features, 0), (std::vector<float>{1, 2.5F, -3}));
  EXPECT_EQ(dense(data.features, 1), (std::vector<float>{0, -1e-3F, 7}));
  EXPECT_EQ(dense(data.features, 2), (std::vector<float>{0.5F, 1, 0}));
  EXPECT_EQ(data.features.values.size(), 7U);  // zeros are not stored
  EXPECT_EQ(data.labels.at(0, 0), kAnnotated);
  EXPECT_EQ(data.labels.at(1, 0), kUnknown);
}

TEST(Arff, ReadsWindowsFiles) {
  const FeatureData data =
      parse("\xEF\xBB\xBF@relation r\r\n@attribute a numeric\r\n@attribute y {0,1}\r\n@data\r\n2,1\r\n\r\n3,0");
  ASSERT_EQ(data.features.rows(), 2);
  EXPECT_EQ(dense(data.features, 1), std::vector<float>{3});
}

TEST(Arff, UnderstandsQuotesAndEscapes) {
  const FeatureData data = parse(
      "@relation r\n@attribute 'a b' numeric\n@attribute \"it's\" numeric\n@attribute 'don\\'t' numeric\n"
      "@attribute m\\'usica numeric\n@attribute col{'light blue',\"dark, {grey}\",'50\\% \\\\ \\t'}\n@attribute y "
      "{'0',\"1\"}\n@data\n"
      "1,2,3,4,'light blue',1\n'5',6,7,8,'dark, {grey}','1'\n0,0,0,0,\"50% \\\\ \\t\",0\n");
  EXPECT_EQ(data.feature_names,
            (Names{"a b", "it's", "don't", "m\\'usica", "col=50% \\ \t", "col=dark, {grey}", "col=light blue"}));
  EXPECT_EQ(dense(data.features, 0), (std::vector<float>{1, 2, 3, 4, 0, 0, 1}));
  EXPECT_EQ(dense(data.features, 1), (std::vector<float>{5, 6, 7, 8, 0, 1, 0}));
  EXPECT_EQ(dense(data.features, 2), (std::vector<float>{0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(data.labels.count(kAnnotated), 2);
}

TEST(Arff, EncodesNominalAttributes) {
  const FeatureData data = parse(
      "@relation r\n@attribute bit {1,0}\n@attribute two {YES,NO}\n@attribute one {x}\n@attribute many {c,a,b}\n"
      "@attribute y {0,1}\n@data\n1,YES,x,a,0\n0,NO,x,c,0\n");
  EXPECT_EQ(data.feature_names, (Names{"bit", "two=YES", "many=a", "many=b", "many=c"}));
  EXPECT_EQ(dense(data.features, 0), (std::vector<float>{1, 1, 1, 0, 0}));
  EXPECT_EQ(dense(data.features, 1), (std::vector<float>{0, 0, 0, 0, 1}));
}

TEST(Arff, FindsValuesInLongLists) {
  std::string text = "@relation r\n@attribute v {";
  for (int i = 0; i < 100; ++i) text += (i > 0 ? "," : "") + std::string("v") + std::to_string(i);
  text += "}\n@attribute y {0,1}\n@data\n";
  for (int i = 0; i < 100; ++i) text += "v" + std::to_string(i) + ",0\n";
  const FeatureData data = parse(text);
  ASSERT_EQ(data.features.columns, 100);
  EXPECT_TRUE(std::is_sorted(data.feature_names.begin(), data.feature_names.end()));
  for (int i = 0; i < 100; ++i) {
    const auto column = static_cast<std::size_t>(data.features.indices[static_cast<std::size_t>(i)]);
    EXPECT_EQ(data.feature_names[column], "v=v" + std::to_string(i));
  }
}

TEST(Arff, SparseRowsUseTheFirstValueForWhatTheyOmit) {
  const FeatureData data = parse(
      "@relation r\n@attribute a numeric\n@attribute two {YES,NO}\n@attribute many {b,a,c}\n@attribute bit {0,1}\n"
      "@attribute y {1,0}\n@data\n{}\n{ 0 5 , 1 NO,2 'c', 3 1,4 0 }\n{3 1,0 2}\n{2 ?}, {3.5}\n");
  EXPECT_EQ(data.feature_names, (Names{"a", "two=YES", "many=a", "many=b", "many=c", "bit"}));
  EXPECT_EQ(dense(data.features, 0), (std::vector<float>{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(dense(data.features, 1), (std::vector<float>{5, 0, 0, 0, 1, 1}));
  EXPECT_EQ(dense(data.features, 2), (std::vector<float>{2, 1, 0, 1, 0, 1}));
  EXPECT_EQ(data.labels.at(0, 0), kAnnotated);
  EXPECT_EQ(data.labels.at(1, 0), kUnknown);
  const std::vector<float> missing = dense(data.features, 3);
  EXPECT_EQ(missing[1], 1);
  for (const std::size_t column : {2U, 3U, 4U}) EXPECT_TRUE(std::isnan(missing[column]));
}

TEST(Arff, MissingFeaturesAreNanAndMissingLabelsUnknown) {
  const FeatureData data =
      parse("@relation r\n@attribute a numeric\n@attribute b {0,1}\n@attribute y {0,1}\n@data\n?,?,?\n1,1,1\n");
  EXPECT_TRUE(std::isnan(dense(data.features, 0)[0]));
  EXPECT_TRUE(std::isnan(dense(data.features, 0)[1]));
  EXPECT_EQ(data.labels.at(0, 0), kUnknown);
  EXPECT_EQ(data.labels.at(1, 0), kAnnotated);
}

TEST(Arff, AcceptsAllSpellingsOfLabels) {
  const FeatureData data = parse(
      "@relation r\n@attribute a numeric\n@attribute p {-1,0,1}\n@attribute q {NO,YES}\n@attribute r {false,true}\n"
      "@attribute s numeric\n@data\n1,1,YES,true,1\n1,0,NO,false,0.0\n1,-1,YES,true,-1\n",
      {"p", "q", "r", "s"});
  for (std::int32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(data.labels.at(0, c), kAnnotated);
    EXPECT_EQ(data.labels.at(1, c), kUnknown);
  }
  EXPECT_EQ(data.labels.at(2, 0), kKnownNegative);
  EXPECT_EQ(data.labels.at(2, 3), kKnownNegative);
}

TEST(Arff, ToleratesWeights) {
  const FeatureData data =
      parse("@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n2,1,{5}\n3,1, {0.5}\n{0 4},{2}\n");
  ASSERT_EQ(data.features.rows(), 3);
  EXPECT_EQ(dense(data.features, 2), std::vector<float>{4});
}

TEST(Arff, TinyNumbersAreZeroAndLatin1BecomesUtf8) {
  const FeatureData data =
      parse("@relation r\n@attribute caf\xE9 numeric\n@attribute y {0,1}\n@data\n1e-60,1\n-0,1\n1e-40,1\n");
  EXPECT_EQ(data.feature_names, Names{"caf\xC3\xA9"});
  EXPECT_EQ(data.features.values, std::vector<float>{1e-40F});
}

TEST(Arff, LabelsComeInTheOrderOfTheList) {
  const TemporaryFolder folder;
  const std::string text = "@relation r\n@attribute a numeric\n@attribute x {0,1}\n@attribute y {0,1}\n@data\n1,1,0\n";
  write_text(folder / "labels.xml", R"(<labels><label name="y"/><label name="x"/></labels>)");
  ReadOptions options;
  options.label_file = folder / "labels.xml";
  EXPECT_EQ(parse_arff(text, "t", options).label_names, (Names{"y", "x"}));
  EXPECT_EQ(parse_arff(text, "t", options).labels.at(0, 1), kAnnotated);
  options.label_names = {"x", "y"};
  EXPECT_EQ(parse_arff(text, "t", options).label_names, (Names{"x", "y"}));
  options.label_names = {"x"};
  EXPECT_THROW(parse_arff(text, "t", options), Error);  // the list and the file disagree
}

TEST(Arff, PredictionNeedsNoLabels) {
  const std::string text = "@relation r\n@attribute a numeric\n@data\n1\n2\n";
  ReadOptions options;
  options.labels_required = false;
  options.label_names = {"y", "z"};
  const FeatureData data = parse_arff(text, "t", options);
  EXPECT_TRUE(data.label_names.empty());
  EXPECT_EQ(data.labels.rows(), 2);
  options.labels_required = true;
  EXPECT_THROW(parse_arff(text, "t", options), Error);
  options.labels_required = false;
  EXPECT_THROW(parse_arff("@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,1\n", "t", options), Error);
}

TEST(Arff, IsRecognisedByContentThenByExtension) {
  EXPECT_TRUE(looks_like_arff("% x\r\n\r\n  @Relation foo"));
  EXPECT_TRUE(looks_like_arff("\xEF\xBB\xBF@attribute a numeric"));
  EXPECT_FALSE(looks_like_arff("a,b,c\n@relation x"));
  EXPECT_FALSE(looks_like_arff(""));
  const TemporaryFolder folder;
  ReadOptions options;
  options.label_names = {"y"};
  write_text(folder / "noname", "@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,1\n");
  EXPECT_EQ(read_features(folder / "noname", options).features.rows(), 1);
  write_text(folder / "bad.arff", "hello\n");
  write_text(folder / "bad.txt", "hello\n");
  for (const char* name : {"bad.arff", "bad.txt", "missing.arff", "."}) {
    try {
      read_features(folder / name, options);
      FAIL() << "expected an error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find((folder / name).string()), std::string::npos) << error.what();
    }
  }
  options.format = "arfff";
  EXPECT_THROW(read_features(folder / "noname", options), UsageError);
  EXPECT_EQ(feature_readers().front().name, "arff");
}

TEST(Arff, LabelsMayBeNamedByPatterns) {
  const std::string text =
      "@relation r\n@attribute tag_b {0,1}\n@attribute a numeric\n@attribute tag_a {0,1}\n@attribute z "
      "{0,1}\n@data\n1,5,0,1\n";
  ReadOptions options;
  options.label_columns = {"tag_*", "z"};
  const FeatureData data = parse_arff(text, "x", options);
  EXPECT_EQ(data.label_names, (std::vector<std::string>{"tag_b", "tag_a", "z"}));
  EXPECT_EQ(data.feature_names, std::vector<std::string>{"a"});
  options.label_columns = {"tag_*", "y"};
  EXPECT_THROW(parse_arff(text, "x", options), Error);
  options.label_columns = {"y"};
  options.labels_required = false;
  EXPECT_TRUE(parse_arff(text, "x", options).label_names.empty());
}

}  // namespace
}  // namespace mlpac
