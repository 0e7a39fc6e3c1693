// Tables as features and labels: roles and kinds of columns, and reading new files like the training data.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/csv.h"
#include "data/number.h"
#include "data/table_header.h"
#include "data/table_value.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

ReadOptions label_columns(Strings patterns) {
  ReadOptions options;
  options.label_columns = std::move(patterns);
  return options;
}

/// The rows with their zeros.
void expect_dense(const FeatureData& data, const std::vector<std::vector<float>>& rows) {
  ASSERT_EQ(data.features.rows(), static_cast<std::int64_t>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<float> row(static_cast<std::size_t>(data.features.columns), 0);
    for (auto i = static_cast<std::size_t>(data.features.offsets[r]);
         i < static_cast<std::size_t>(data.features.offsets[r + 1]); ++i) {
      EXPECT_NE(data.features.values[i], 0) << "a zero is stored";
      row[static_cast<std::size_t>(data.features.indices[i])] = data.features.values[i];
    }
    ASSERT_EQ(row.size(), rows[r].size());
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (std::isnan(rows[r][c])) {
        EXPECT_TRUE(std::isnan(row[c])) << r << ' ' << c;
      } else {
        EXPECT_EQ(row[c], rows[r][c]) << r << ' ' << c;
      }
    }
  }
}

std::vector<std::vector<int>> states(const Labels& labels) {
  std::vector<std::vector<int>> rows;
  for (std::int64_t r = 0; r < labels.rows(); ++r) {
    std::vector<int>& row = rows.emplace_back();
    for (std::int32_t c = 0; c < labels.classes(); ++c) row.push_back(labels.at(r, c));
  }
  return rows;
}

using States = std::vector<std::vector<int>>;

TEST(Table, NumbersCategoriesAndLabels) {
  const FeatureData data = parse_csv(
      "age,colour,y1,height,y2\n"
      "31, red ,1,1.5,yes\n"
      "0,\"blue\",0, NaN,No\n"
      "?,,-1.0,-2e-1,\n"
      "+7,N/A,na,0.0,TRUE\n",
      "x.csv", label_columns({"y*"}));
  EXPECT_EQ(data.feature_names, (Strings{"age", "colour=blue", "colour=red", "height"}));
  expect_dense(data, {{31, 0, 1, 1.5F}, {0, 1, 0, kMissing}, {kMissing, 0, 0, -0.2F}, {7, 0, 0, 0}});
  EXPECT_EQ(data.label_names, (Strings{"y1", "y2"}));
  EXPECT_EQ(states(data.labels), (States{{1, 1}, {0, 0}, {-1, 0}, {0, 1}}));
  EXPECT_TRUE(data.ids.empty());
}

TEST(Table, WithoutAHeaderColumnsAreNumbered) {
  const FeatureData data = parse_csv("1.5,2,1\n3,\"4\",0\n", "x.csv", label_columns({"c3"}));
  EXPECT_EQ(data.feature_names, (Strings{"c1", "c2"}));
  expect_dense(data, {{1.5F, 2}, {3, 4}});
  EXPECT_EQ(states(data.labels), (States{{1}, {0}}));
}

TEST(Table, KnownLabelsGiveTheOrder) {
  ReadOptions options;
  options.label_names = {"z", "b"};
  const FeatureData data = parse_csv("b,a,z\n1,5,0\n0,6,1\n", "x.csv", options);
  EXPECT_EQ(data.label_names, (Strings{"z", "b"}));
  EXPECT_EQ(data.feature_names, (Strings{"a"}));
  EXPECT_EQ(states(data.labels), (States{{0, 1}, {1, 0}}));
}

TEST(Table, ListsOfLabels) {
  ReadOptions options;
  options.label_list = "tags";
  options.id_column = "key";
  options.ignored_columns = {"junk*"};
  const FeatureData data = parse_csv(
      "key,junk1,tags,a,junk2\n"
      "\"k \"\"1\"\"\",?,\"sea, sky\",1,x\n"
      "k2,?,,2,y\n"
      "k3,?,sky;!sea ; ;sky,3,z\n",
      "x.csv", options);
  EXPECT_EQ(data.label_names, (Strings{"sea", "sky"}));
  EXPECT_EQ(states(data.labels), (States{{1, 1}, {0, 0}, {-1, 1}}));
  EXPECT_EQ(data.ids, (Strings{"k \"1\"", "k2", "k3"}));
  EXPECT_EQ(data.feature_names, (Strings{"a"}));

  options.label_names = {"sky", "sand"};
  options.labels_required = false;
  const FeatureData known = parse_csv("key,junk,tags,a\n1,2,sea;sky,4\n", "x.csv", options);
  EXPECT_EQ(known.label_names, (Strings{"sky", "sand"}));
  EXPECT_EQ(states(known.labels), (States{{1, 0}}));  // what is not known is left out
}

TEST(Table, ANameCountsMoreThanAPattern) {
  ReadOptions options = label_columns({"y*"});
  options.id_column = "y_id";
  options.ignored_columns = {"y_old*", "b*"};
  const FeatureData data = parse_csv("y_id,y1,y_old,a,b1\n7,1,?,2,3\n", "x.csv", options);
  EXPECT_EQ(data.label_names, (Strings{"y1"}));
  EXPECT_EQ(data.feature_names, (Strings{"a"}));
  EXPECT_EQ(data.ids, (Strings{"7"}));
  EXPECT_EQ(data.schema.at("ignored"), (Strings{"y_old", "b1"}));
}

TEST(Table, LabelsMayBeMissingIfTheyAreNotRequired) {
  ReadOptions options;
  options.labels_required = false;
  const std::string text = "a,b\n1,2\n";
  for (const int mode : {0, 1, 2, 3}) {
    if (mode == 1) options.label_names = {"y1", "y2"};
    if (mode == 2) options.label_names = {}, options.label_columns = {"y*"};
    if (mode == 3) options.label_columns = {}, options.label_list = "tags";
    const FeatureData data = parse_csv(text, "x.csv", options);
    EXPECT_TRUE(data.label_names.empty());
    EXPECT_EQ(data.labels.classes(), 0);
    EXPECT_EQ(data.labels.rows(), 1);
    EXPECT_EQ(data.feature_names, (Strings{"a", "b"}));
  }
}

TEST(Table, OldEncodingsBecomeUtf8) {
  // The same value once in Latin-1 and once in UTF-8 is one category.
  const FeatureData data = parse_csv("ma\xDF,y\nk\xE4se,1\nk\xC3\xA4se,0\n", "x.csv", label_columns({"y"}));
  EXPECT_EQ(data.feature_names, (Strings{"ma\xC3\x9F=k\xC3\xA4se"}));
  expect_dense(data, {{1}, {1}});
  EXPECT_NO_THROW(data.schema.dump());
}

TEST(Table, AFewMistakesAmongManyNumbersAreRefusedButManyWordsAreACategory) {
  const auto column = [](int words, int numbers) {
    std::string text = "a,y\n";
    for (int i = 0; i < words; ++i) text += "w,1\n";
    for (int i = 0; i < numbers; ++i) text += "5,1\n";
    return text;
  };
  EXPECT_THROW(parse_csv(column(5, 95), "x.csv", label_columns({"y"})), Error);
  const FeatureData data = parse_csv(column(6, 94), "x.csv", label_columns({"y"}));
  EXPECT_EQ(data.feature_names, (Strings{"a=5", "a=w"}));
}

TEST(Table, AColumnWithoutAnyValueIsAMissingNumber) {
  const FeatureData data = parse_csv("a,b,y\n,1,1\nNone,2,0\n", "x.csv", label_columns({"y"}));
  expect_dense(data, {{kMissing, 1}, {kMissing, 2}});
}

std::string reviews(int rows) {
  std::string text = "n,review,y\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(i) + ",\"a good film, number " + std::to_string(i) + "\",1\n";
  }
  return text;
}

TEST(Table, TextIsRecognisedOrNamed) {
  const FeatureData data = parse_csv(reviews(20), "x.csv", label_columns({"y"}));
  EXPECT_EQ(data.schema.at("columns").at(1).at("kind"), "text");
  EXPECT_TRUE(data.feature_names.empty());
  EXPECT_GT(data.features.columns, 3);
  // Number 0 is not stored, and each text has length 1.
  for (std::size_t r = 0; r < 20; ++r) {
    double squares = 0;
    for (auto i = data.features.offsets[r]; i < data.features.offsets[r + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (data.features.indices[at] > 0) squares += std::pow(double{data.features.values[at]}, 2);
    }
    EXPECT_NEAR(squares, 1, 1e-5);
  }

  ReadOptions named = label_columns({"y"});
  named.text_columns = {"n"};
  named.text.min_rows = 1;
  const FeatureData other = parse_csv(reviews(20), "x.csv", named);
  EXPECT_EQ(other.schema.at("columns").at(0).at("kind"), "text");  // though all its values are numbers
  EXPECT_EQ(other.schema.at("columns").at(1).at("kind"), "category");
}

TEST(Table, RepeatedPhrasesAreACategory) {
  std::string text = "a,y\n";
  for (int i = 0; i < 10; ++i)
    text += i % 2 == 0 ? "a rather long category name,1\n" : "and another rather long one,0\n";
  EXPECT_EQ(parse_csv(text, "x.csv", label_columns({"y"})).features.columns, 2);
}

TEST(Table, ANewFileIsReadLikeTheTrainingData) {
  ReadOptions options = label_columns({"y*"});
  options.id_column = "id";
  const FeatureData trained =
      parse_csv("id,size,colour,y1,y2\n1,5,red,1,0\n2,6,blue,0,1\n3,7,green,1,1\n", "x.csv", options);

  ReadOptions apply;
  apply.schema = json::parse(trained.schema.dump());
  apply.label_names = trained.label_names;
  apply.labels_required = false;
  const FeatureData data = parse_csv("extra;colour;id;size\n?;blue;k1;\n!;violet;k2;2.5\n;NA;k3;0\n", "new.csv", apply);
  EXPECT_EQ(data.feature_names, trained.feature_names);
  EXPECT_EQ(data.features.columns, trained.features.columns);
  expect_dense(data, {{kMissing, 1, 0, 0}, {2.5F, 0, 0, 0}, {0, 0, 0, 0}});
  EXPECT_EQ(data.ids, (Strings{"k1", "k2", "k3"}));
  EXPECT_TRUE(data.label_names.empty());
  EXPECT_EQ(data.schema, trained.schema);

  // The stored names of the labels, and an id that wins over the stored one and is a feature too.
  apply.label_names = {};
  apply.labels_required = true;
  apply.id_column = "colour";
  const FeatureData labelled = parse_csv("y2,y1,colour,size\n1,0,red,1\n", "new.csv", apply);
  EXPECT_EQ(labelled.label_names, (Strings{"y1", "y2"}));
  EXPECT_EQ(states(labelled.labels), (States{{0, 1}}));
  EXPECT_EQ(labelled.ids, (Strings{"red"}));
  expect_dense(labelled, {{1, 0, 0, 1}});
}

TEST(Table, ANewFileThatDoesNotFitTheModelIsRefused) {
  ReadOptions apply;
  apply.schema = parse_csv("size,colour,y\n5,red,1\n6,blue,0\n", "x.csv", label_columns({"y"})).schema;
  const auto message = [&](std::string_view text) -> std::string {
    try {
      parse_csv(text, "n.csv", apply);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("size,colour,y\n5,red,1\n"), "accepted");
  EXPECT_NE(message("Size,colour,y\n5,red,1\n").find("n.csv:1: the model was trained with the column 'size'"),
            std::string::npos);
  EXPECT_NE(message("Size,colour,y\n5,red,1\n").find("did you mean 'Size'?"), std::string::npos);
  EXPECT_NE(message("1,2,1\n").find("numbered"), std::string::npos);
  EXPECT_NE(message("size,colour,y\n5,red,1\ntall,red,1\n").find("n.csv:3: column 'size' has the value 'tall'"),
            std::string::npos);
  EXPECT_NE(message("size,colour\n5,red\n").find("label"), std::string::npos);
}

TEST(Table, StoredListsOfLabels) {
  ReadOptions options;
  options.label_list = "tags";
  options.label_separators = "/";
  const FeatureData trained = parse_csv("a,tags\n1,p/q\n2,q\n", "x.csv", options);
  ReadOptions apply;
  apply.schema = trained.schema;
  apply.label_names = trained.label_names;
  EXPECT_EQ(states(parse_csv("tags,a\nq/p,1\n,2\n", "n.csv", apply).labels), (States{{1, 1}, {0, 0}}));
  EXPECT_THROW(parse_csv("tags,a\nq/r,1\n", "n.csv", apply), Error);
  apply.label_list = "tags";  // naming the same column again keeps its separators
  EXPECT_EQ(states(parse_csv("tags,a\nq/p,1\n", "n.csv", apply).labels), (States{{1, 1}}));
  apply.label_list = "other";  // what is given with the call wins
  apply.label_separators = ";";
  EXPECT_EQ(states(parse_csv("other,a\nq;p,1\n", "n.csv", apply).labels), (States{{1, 1}}));
  apply.label_list.clear();
  apply.label_columns = {"p", "q"};
  EXPECT_EQ(states(parse_csv("q,a,p\n1,1,0\n", "n.csv", apply).labels), (States{{0, 1}}));
}

TEST(Table, StoredTextGivesTheSameColumns) {
  const FeatureData trained = parse_csv(reviews(20), "x.csv", label_columns({"y"}));
  ReadOptions apply;
  apply.schema = json::parse(trained.schema.dump());
  const FeatureData again = parse_csv(reviews(20), "x.csv", apply);
  expect_equal(again, trained);
  const FeatureData other = parse_csv("y,review,n\n1,,5\n0,a good unseen word,0\n", "x.csv", apply);
  EXPECT_EQ(other.features.columns, trained.features.columns);
  EXPECT_EQ(other.features.offsets, (std::vector<std::int64_t>{0, 1, 3}));  // 5 | a, good
}

TEST(Table, ADamagedSchemaIsRefused) {
  const FeatureData trained =
      parse_csv("n,c,review,y\n1,p,a b c d e,1\n2,q,a b c d f,0\n", "x.csv", label_columns({"y"}));
  const std::string valid = "n,c,review,y\n1,p,a b,1\n";
  const json good = trained.schema;
  ReadOptions apply;
  apply.schema = good;
  EXPECT_NO_THROW(parse_csv(valid, "n.csv", apply));
  const auto expect_damaged = [&](const json& schema) {
    apply.schema = schema;
    try {
      parse_csv(valid, "n.csv", apply);
      ADD_FAILURE() << "accepted " << schema.dump();
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 5), "n.csv") << error.what();
    }
  };
  // Values of the wrong type.
  const std::vector<json> wrong{nullptr, 5, json::array({1}), {{"a", 1}}, "x"};
  for (const char* path : {"/format", "/columns", "/columns/0", "/columns/0/name", "/columns/0/kind",
                           "/columns/1/values", "/columns/2/encoder", "/ignored"}) {
    for (const json& value : wrong) {
      json schema = good;
      schema[json::json_pointer(path)] = value;
      expect_damaged(schema);
    }
  }
  for (const json& value : {json(5), json::array({1}), json{{"a", 1}}, json("x"), json{{"columns", 3}},
                            json{{"list", 3}}, json{{"list", "a"}}}) {
    json schema = good;
    schema["labels"] = value;
    expect_damaged(schema);
  }
  for (const char* key : {"format", "columns", "labels", "id", "ignored"}) {
    json schema = good;
    schema.erase(key);
    expect_damaged(schema);
  }
  json schema = good;
  schema["id"] = 5;
  expect_damaged(schema);
  schema = good;
  schema["columns"][1]["values"] = {"q", "p"};
  expect_damaged(schema);
  schema["columns"][1]["values"] = {"p", "p"};
  expect_damaged(schema);
  schema = good;
  schema["columns"].push_back(schema["columns"][0]);
  expect_damaged(schema);
  for (const json& value : {json("text"), json(5), json::array(), json(true)}) expect_damaged(value);
}

TEST(TableValue, ShortNumbersAreReadAsTheGeneralMethodReadsThem) {
  CellText cells;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    const std::uint64_t bits = bits_at(7, i);
    std::string text = std::to_string(bits % 1'000'000'000);
    text.resize(1 + (bits >> 32U) % text.size());
    if ((bits >> 40U) % 4 != 0) text.insert((bits >> 42U) % (text.size() + 1), ".");
    if ((bits >> 50U) % 2 == 0) text.insert(0, "-");
    float expected = 0;
    const bool number = parse_number(text, expected) == Number::good;
    float value = 0;
    const Cell cell = read_cell({text, text, false}, cells, value);
    ASSERT_EQ(cell == Cell::number, number) << text;
    if (number) {
      ASSERT_EQ(value, expected) << text;
    }
  }
}

TEST(TableValue, CellsAreNumbersMissingOrWords) {
  CellText cells;
  const auto kind = [&](std::string_view text) {
    float value = 0;
    return read_cell({text, text, false}, cells, value);
  };
  for (const auto* text : {"1", " 1 ", "-0", ".5", "5.", "+3", "1e-50", "123456789012", "16777217", "1.17549435e-38"}) {
    EXPECT_EQ(kind(text), Cell::number) << text;
  }
  for (const auto* text : {"", " ", "?", "NA", "n/a", "nan", "NaN", "NULL", "None", " na "}) {
    EXPECT_EQ(kind(text), Cell::missing) << text;
  }
  for (const auto* text : {"inf", "-Inf", "+infinity", "1e39", "1,5", "-3,25", "1,5e3"}) {
    EXPECT_EQ(kind(text), Cell::wrong_number) << text;
  }
  for (const auto* text : {".", "-", "+", "--1", "1-", "1.2.3", "0x1", "x", ",", "1,2,3", "1 2", "5%", "nann"}) {
    EXPECT_EQ(kind(text), Cell::word) << text;
  }
}

TEST(TableHeader, PatternsFitWholeNames) {
  EXPECT_TRUE(fits_pattern("y*", "y"));
  EXPECT_TRUE(fits_pattern("y*", "y12"));
  EXPECT_TRUE(fits_pattern("*", ""));
  EXPECT_TRUE(fits_pattern("*_y", "a_y_y"));
  EXPECT_TRUE(fits_pattern("a*b*c", "aXbYbc"));
  EXPECT_TRUE(fits_pattern("**a**", "bab"));
  EXPECT_FALSE(fits_pattern("y*", "xy"));
  EXPECT_FALSE(fits_pattern("*y", "yx"));
  EXPECT_FALSE(fits_pattern("a*b", "acbc"));
  EXPECT_FALSE(fits_pattern("", "a"));
  EXPECT_TRUE(fits_pattern("", ""));
}

}  // namespace
}  // namespace mlpac
