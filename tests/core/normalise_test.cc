// Scaling of features and matching the columns of new files to those a model was trained on.
#include "data/normalise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
using Rows = std::vector<std::vector<float>>;

/// Zeros are not stored, as readers do it.
FeatureMatrix matrix(const Rows& rows) {
  FeatureMatrix result;
  result.columns = static_cast<std::int32_t>(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] == 0) continue;
      result.indices.push_back(static_cast<std::int32_t>(c));
      result.values.push_back(row[c]);
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.indices.size()));
  }
  return result;
}

Rows applied(const Normaliser& normaliser, const FeatureMatrix& features) {
  Rows rows;
  for (std::int64_t row = 0; row < features.rows(); ++row) {
    rows.emplace_back(static_cast<std::size_t>(features.columns));
    normaliser.apply(FeatureView(features), row, rows.back().data());
  }
  return rows;
}

FeatureData data_of(std::vector<std::string> names, const Rows& rows) {
  FeatureData data;
  data.source = "new.arff";
  data.feature_names = std::move(names);
  data.features = matrix(rows);
  return data;
}

FeatureMatrix by_name(const FeatureData& data, const std::vector<std::string>& names) {
  return align_columns(data, names, static_cast<std::int32_t>(names.size()));
}

TEST(Normaliser, StandardiseGivesMeanZeroAndVarianceOne) {
  const auto features = matrix({{1, 0}, {3, 10}, {5, 0}, {7, 30}});
  const auto rows = applied(Normaliser::fit(features, "standardise"), features);
  for (std::size_t c = 0; c < 2; ++c) {
    double sum = 0;
    double squares = 0;
    for (const auto& row : rows) {
      sum += row[c];
      squares += row[c] * row[c];
    }
    EXPECT_NEAR(sum, 0, 1e-5);
    EXPECT_NEAR(squares / 4, 1, 1e-5);
  }
  EXPECT_NEAR(rows[0][0], (1 - 4) / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(rows[0][1], -10 / std::sqrt(150.0), 1e-6);  // a zero that is not stored is a zero
}

TEST(Normaliser, MaxAbsKeepsZeros) {
  const auto features = matrix({{-4, 0}, {2, 0.5}, {0, 0.25}});
  const auto rows = applied(Normaliser::fit(features, "max-abs"), features);
  EXPECT_EQ(rows, (Rows{{-1, 0}, {0.5, 1}, {0, 0.5}}));
}

TEST(Normaliser, NoneLeavesValuesAlone) {
  const Rows values{{-4, 0}, {2, 0.5}};
  EXPECT_EQ(applied(Normaliser::fit(matrix(values), "none"), matrix(values)), values);
}

TEST(Normaliser, AutoLooksAtTheShareOfZeros) {
  Rows dense{{1, 2, 0, 0}, {3, 4, 0, 0}};                     // half is stored
  Rows sparse{{9, 0, 0, 0, 0}, {0, 3, 0, 0, 0}, {}, {}, {}};  // a fifth of each column is stored
  for (auto& row : sparse) row.resize(5);
  const auto same = [](const Rows& rows, const char* kind) {
    return Normaliser::fit(matrix(rows), "auto").to_json() == Normaliser::fit(matrix(rows), kind).to_json();
  };
  EXPECT_TRUE(same(dense, "standardise"));
  EXPECT_FALSE(same(dense, "max-abs"));
  EXPECT_TRUE(same(sparse, "max-abs"));
  EXPECT_FALSE(same(sparse, "standardise"));
}

TEST(Normaliser, AutoLeavesSmallValuesOfSparseDataAlone) {
  Rows rows(40, std::vector<float>(12, 0));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][0] = 10 + static_cast<float>(i % 3);  // a dense measurement
  rows[3][1] = 0.25F;                                                                         // a weight
  rows[5][2] = 8;                                                                             // a rare count
  const auto normaliser = Normaliser::fit(matrix(rows), "auto");
  EXPECT_NEAR(normaliser.shift[0], 11, 0.1);
  EXPECT_EQ(normaliser.scale[1], 1);
  EXPECT_EQ(normaliser.scale[2], 0.125F);
  EXPECT_EQ(normaliser.shift[2], 0);
}

TEST(Normaliser, SparseAndDenseApplicationAgree) {
  Rows rows(40, std::vector<float>(12, 0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 4 != 0) rows[i][6] = 10 + static_cast<float>(i % 3);
    rows[i][(i * 5) % 12] = i % 7 == 0 ? kMissing : static_cast<float>(i);
  }
  for (const char* kind : {"standardise", "max-abs", "none", "auto"}) {
    const auto normaliser = Normaliser::fit(matrix(rows), kind);
    const FeatureMatrix sparse = normaliser.apply(matrix(rows));
    const Rows dense = applied(normaliser, matrix(rows));
    const Normaliser identity{std::vector<float>(12, 0), std::vector<float>(12, 1), std::vector<float>(12, 0)};
    EXPECT_EQ(applied(identity, sparse), dense) << kind;
    for (std::size_t i = 1; i < sparse.indices.size(); ++i) {
      const bool new_row =
          std::find(sparse.offsets.begin(), sparse.offsets.end(), static_cast<std::int64_t>(i)) != sparse.offsets.end();
      EXPECT_TRUE(new_row || sparse.indices[i - 1] < sparse.indices[i]);
    }
  }
}

TEST(Normaliser, MeansAreNotSubtractedFromHugeSparseData) {
  FeatureMatrix features;
  features.columns = 20000;
  for (int row = 0; row < 500; ++row) {
    for (std::int32_t c = row % 7; c < 20000; c += 400) {
      features.indices.push_back(c);
      features.values.push_back(3);
    }
    features.offsets.push_back(static_cast<std::int64_t>(features.indices.size()));
  }
  const auto normaliser = Normaliser::fit(features, "standardise");
  EXPECT_NO_THROW(normaliser.apply(features));  // few columns are not constant
  auto shifted = normaliser;
  std::fill(shifted.shift.begin(), shifted.shift.end(), 1.0F);
  EXPECT_THROW(shifted.apply(features), UsageError);
}

TEST(AlignColumns, NumberedColumnsAreCutOrPadded) {
  FeatureData data;
  data.features = matrix({{1, 0, 5, 7}, {0, 2, 0, 0}, {0, 0, 0, 9}});
  EXPECT_THROW(align_columns(data, {}, 3), Error);  // an array has the columns it has
  data.open_ended = true;
  const FeatureMatrix cut = align_columns(data, {}, 3);
  EXPECT_EQ(cut.columns, 3);
  EXPECT_EQ(cut.offsets, (std::vector<std::int64_t>{0, 2, 3, 3}));
  EXPECT_EQ(cut.indices, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(cut.values, (std::vector<float>{1, 5, 2}));
  const FeatureMatrix padded = align_columns(data, {}, 9);
  EXPECT_EQ(padded.columns, 9);
  EXPECT_EQ(padded.values, data.features.values);
}

TEST(Normaliser, MissingValuesBecomeTheMeanOfTheKnown) {
  const auto features = matrix({{1, kMissing}, {kMissing, kMissing}, {3, kMissing}});
  const auto standard = applied(Normaliser::fit(features, "standardise"), features);
  EXPECT_FLOAT_EQ(standard[0][0], -1);
  EXPECT_FLOAT_EQ(standard[1][0], 0);
  EXPECT_FLOAT_EQ(standard[2][0], 1);
  for (const auto& row : standard) EXPECT_EQ(row[1], 0);  // nothing is known of this column
  const auto largest = applied(Normaliser::fit(features, "max-abs"), features);
  EXPECT_FLOAT_EQ(largest[1][0], 2.0F / 3);
  const auto none = applied(Normaliser::fit(features, "none"), features);
  EXPECT_FLOAT_EQ(none[1][0], 2);
}

TEST(Normaliser, ConstantColumnsAreNotBlownUp) {
  // 0.1F has a rounding error; scaled by one over the "deviation" of such a column it would become noise.
  const Rows rows(1000, {0.1F, 1e6F, 0});
  for (const auto& row : applied(Normaliser::fit(matrix(rows), "standardise"), matrix(rows))) {
    for (const float value : row) EXPECT_NEAR(value, 0, 1e-6);
  }
  // A value unseen in training stays in proportion instead of becoming huge.
  const auto normaliser = Normaliser::fit(matrix(rows), "standardise");
  EXPECT_NEAR(applied(normaliser, matrix({{0.2F, 1e6F, 5}}))[0][2], 5, 1e-6);
}

TEST(Normaliser, TinyAndHugeValuesStayFinite) {
  for (const char* kind : {"standardise", "max-abs", "none", "auto"}) {
    const auto features = matrix({{1e-42F, 3e38F}, {3e-42F, -3e38F}, {0, 0}});
    for (const auto& row : applied(Normaliser::fit(features, kind), features)) {
      for (const float value : row) EXPECT_TRUE(std::isfinite(value)) << kind;
    }
  }
}

TEST(Normaliser, JsonRoundTripIsExact) {
  const auto normaliser = Normaliser::fit(matrix({{0.1F, 3}, {0.7F, kMissing}, {1e-7F, 2}}), "standardise");
  const auto back = Normaliser::from_json(nlohmann::json::parse(normaliser.to_json().dump()));
  EXPECT_EQ(back.shift, normaliser.shift);
  EXPECT_EQ(back.scale, normaliser.scale);
  EXPECT_EQ(back.fill, normaliser.fill);
  EXPECT_THROW(Normaliser::from_json(nlohmann::json::object()), nlohmann::json::exception);
}

TEST(AlignColumns, SameNamesAreTakenAsTheyAre) {
  const auto data = data_of({"a", "b"}, {{1, 2}, {0, 3}});
  const auto aligned = by_name(data, {"a", "b"});
  EXPECT_EQ(aligned.indices, data.features.indices);
  EXPECT_EQ(aligned.values, data.features.values);
}

TEST(AlignColumns, OrderIsThatOfTheModelAndUnknownColumnsAreLeftOut) {
  const auto data = data_of({"x", "b", "a"}, {{9, 2, 1}, {9, 0, kMissing}});
  const auto aligned = by_name(data, {"a", "b"});
  EXPECT_EQ(aligned.columns, 2);
  EXPECT_EQ(aligned.offsets, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(aligned.indices, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(aligned.values[0], 1);
  EXPECT_EQ(aligned.values[1], 2);
  EXPECT_TRUE(std::isnan(aligned.values[2]));  // missing stays missing
}

TEST(AlignColumns, MissingColumnIsAnErrorThatNamesIt) {
  const auto data = data_of({"a"}, {{1}});
  try {
    by_name(data, {"a", "height"});
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("new.arff"), std::string::npos);
    EXPECT_NE(message.find("'height'"), std::string::npos);
  }
}

TEST(AlignColumns, ACategoryTheNewFileDoesNotDeclareIsZero) {
  const auto data = data_of({"c=blue", "c=green", "c=teal", "n"}, {{1, 0, 0, 5}, {0, 0, 1, 6}});
  const auto aligned = by_name(data, {"n", "c=red", "c=green", "c=blue"});
  EXPECT_EQ(aligned.columns, 4);
  EXPECT_EQ(aligned.indices, (std::vector<std::int32_t>{0, 3, 0}));
  EXPECT_EQ(aligned.values, (std::vector<float>{5, 1, 6}));  // teal, which the model does not know, is left out
  EXPECT_THROW(by_name(data, {"d=red", "n"}), Error);        // but the attribute itself must be there
}

TEST(AlignColumns, CategoriesThatCannotBeToldApartAreRefused) {
  // Two values become one column, named after the second: {blue, red} gives c=red, so a blue row looks like any other
  // row that is not red. Taking it for "none of them" would silently change predictions.
  EXPECT_THROW(by_name(data_of({"c=red"}, {{1}}), {"c=blue", "c=green", "c=red"}), Error);
  EXPECT_THROW(by_name(data_of({"c=red"}, {{1}}), {"c=blue"}), Error);
  // A number where the model knows categories.
  EXPECT_THROW(by_name(data_of({"c"}, {{1}}), {"c=0", "c=1", "c=2"}), Error);
  // The other way round everything is known.
  const auto aligned = by_name(data_of({"c=blue", "c=green", "c=red"}, {{1, 0, 0}, {0, 0, 1}}), {"c=red"});
  EXPECT_EQ(aligned.offsets, (std::vector<std::int64_t>{0, 0, 1}));
}

}  // namespace
}  // namespace mlpac
