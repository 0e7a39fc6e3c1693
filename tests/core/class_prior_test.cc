// Estimated class priors against known ones, over label frequencies and priors, and what must not break them.
#include "mlpac/class_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/random.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::int32_t kColumns = 8;

/// A vector of length 1 for every class.
std::vector<double> directions(std::size_t classes) {
  std::vector<double> result;
  for (std::size_t c = 0; c < classes; ++c) {
    std::vector<double> own;
    for (std::uint64_t j = 0; j < kColumns; ++j)
      own.push_back(normal_at(stream_key(2, "directions"), c * kColumns + j));
    const double length = std::sqrt(std::inner_product(own.begin(), own.end(), own.begin(), 0.0));
    for (const double x : own) result.push_back(x / length);
  }
  return result;
}

/// Rows around 0, moved by `distance` standard deviations for each class they belong to.
FeatureData gaussians(std::int64_t rows, const std::vector<double>& priors, double distance) {
  FeatureData data;
  data.features.columns = kColumns;
  data.labels = Labels(static_cast<std::int32_t>(priors.size()));
  const auto direction = directions(priors.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t key = row_key(stream_key(1, "gaussians"), 0, static_cast<std::uint64_t>(row));
    std::vector<LabelEntry> entries;
    for (std::size_t c = 0; c < priors.size(); ++c) {
      if (unit_double(bits_at(key, 1000 + c)) < priors[c])
        entries.push_back({static_cast<std::int32_t>(c), kAnnotated});
    }
    for (std::int32_t j = 0; j < kColumns; ++j) {
      double x = normal_at(key, static_cast<std::uint64_t>(j));
      for (const auto& entry : entries)
        x += distance * direction[static_cast<std::size_t>(entry.column * kColumns + j)];
      data.features.indices.push_back(j);
      data.features.values.push_back(static_cast<float>(x));
    }
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.indices.size()));
    data.labels.append(entries);
  }
  return data;
}

std::vector<std::int64_t> all_rows(const FeatureMatrix& features) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(features.rows()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return rows;
}

ClassPriors estimate(const FeatureData& data, const Labels& labels, std::string_view name) {
  return estimate_priors(data.features, labels, all_rows(data.features), name, 1);
}

/// What is tolerated: estimate over truth, pooled over classes and of any class.
struct Tolerance {
  std::string_view name;
  double pooled;    ///< largest ratio over all classes; the smallest is 0.85
  double of_class;  ///< largest ratio of a class; the smallest is 0.6
};

void check(double distance, const std::vector<Tolerance>& tolerances) {
  const std::vector<double> priors{0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
  const auto data = gaussians(4000, priors, distance);
  const auto truth = data.labels.count_per_class(kAnnotated);
  for (const double frequency : {0.05, 0.1, 0.3, 0.5, 0.9}) {
    // As many of every class: how many of a few positives are annotated says nothing about an estimator.
    const auto labels = hide_class_ratio(data.labels, frequency, 1);
    for (const auto& tolerance : tolerances) {
      SCOPED_TRACE(std::string(tolerance.name) + ", label frequency " + std::to_string(frequency));
      const auto result = estimate(data, labels, tolerance.name);
      EXPECT_GT(result.multiple * frequency, 0.85);
      EXPECT_LT(result.multiple * frequency, tolerance.pooled);
      for (std::size_t c = 0; c < priors.size(); ++c) {
        const double ratio = result.prior[c] / (static_cast<double>(truth[c]) / 4000);
        EXPECT_GT(ratio, 0.6) << "prior " << priors[c];
        EXPECT_LT(ratio, tolerance.of_class) << "prior " << priors[c];
      }
    }
  }
}

TEST(ClassPrior, SeparableClasses) { check(8, {{"best-bin", 1.1, 1.5}, {"elkan-noto", 1.3, 1.8}, {"tice", 1.5, 3}}); }

// Where classes overlap no estimator can tell positives among others from others: all err upwards.
TEST(ClassPrior, OverlappingClassesAreOverestimated) {
  check(3, {{"best-bin", 1.5, 6}, {"elkan-noto", 1.7, 6}, {"tice", 1.8, 6}});
}

TEST(ClassPrior, SparseBinaryFeatures) {
  // Words: ten of a hundred per row, two of them marks of the class. Nothing but the marks tells.
  FeatureData data;
  data.features.columns = 100;
  data.labels = Labels(1);
  for (std::int64_t row = 0; row < 3000; ++row) {
    const std::uint64_t key = row_key(stream_key(3, "words"), 0, static_cast<std::uint64_t>(row));
    const bool positive = unit_double(bits_at(key, 0)) < 0.15;
    for (std::int32_t c = 0; c < 100; ++c) {
      const bool mark = c < 2;
      if (mark ? positive : unit_double(bits_at(key, static_cast<std::uint64_t>(c))) < 0.1) {
        data.features.indices.push_back(c);
        data.features.values.push_back(1);
      }
    }
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.indices.size()));
    data.labels.append(positive ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>{});
  }
  const double truth = static_cast<double>(data.labels.count(kAnnotated)) / 3000;
  for (const auto& entry : prior_estimators()) {
    const auto result = estimate(data, hide_each(data.labels, 0.3, 5), entry.name);
    EXPECT_GT(result.prior[0], 0.85 * truth) << entry.name;
    EXPECT_LT(result.prior[0], 1.35 * truth) << entry.name;
  }
}

TEST(ClassPrior, FewAnnotationsBorrowThePooledMultiple) {
  const auto data = gaussians(3000, {0.3, 0.3, 0.3}, 8);
  const auto annotated = hide_each(data.labels, 0.2, 1);
  Labels labels(3);  // the last class keeps two annotations
  int kept = 0;
  for (std::int64_t row = 0; row < annotated.rows(); ++row) {
    std::vector<LabelEntry> entries;
    for (const auto& entry : annotated.row(row)) {
      if (entry.column < 2 || kept++ < 2) entries.push_back(entry);
    }
    labels.append(entries);
  }
  for (const auto& entry : prior_estimators()) {
    const auto result = estimate(data, labels, entry.name);
    EXPECT_NEAR(result.annotated[2], 2.0 / 3000, 1e-12);
    EXPECT_GT(result.prior[2] / result.annotated[2], 0.5 * result.multiple) << entry.name;
    EXPECT_LT(result.prior[2] / result.annotated[2], 2 * result.multiple) << entry.name;
  }
}

TEST(ClassPrior, AreAFunctionOfTheSeedAndTheRows) {
  const auto data = gaussians(600, {0.2, 0.4}, 4);
  const auto labels = hide_each(data.labels, 0.4, 1);
  auto rows = all_rows(data.features);
  rows.resize(400);
  for (const auto& entry : prior_estimators()) {
    const auto first = estimate_priors(data.features, labels, rows, entry.name, 1);
    EXPECT_EQ(first.prior, estimate_priors(data.features, labels, rows, entry.name, 1).prior);
    EXPECT_NE(first.prior, estimate_priors(data.features, labels, rows, entry.name, 2).prior) << entry.name;
    // Rows that are not given do not matter.
    auto other = data.features;
    for (std::size_t i = 400 * kColumns; i < other.values.size(); ++i) other.values[i] = 1e9F;
    EXPECT_EQ(first.prior, estimate_priors(other, labels, rows, entry.name, 1).prior);
  }
}

TEST(ClassPrior, KnownNegativesBoundIt) {
  const auto data = gaussians(500, {0.4}, 0.5);
  Labels labels(1);
  for (std::int64_t row = 0; row < 500; ++row) {
    const bool positive = data.labels.at(row, 0) == kAnnotated;
    if (positive) {
      labels.append(row % 5 == 0 ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>{});
    } else {
      labels.append({{0, kKnownNegative}});
    }
  }
  const double truth = static_cast<double>(data.labels.count(kAnnotated)) / 500;
  for (const auto& entry : prior_estimators()) EXPECT_LE(estimate(data, labels, entry.name).prior[0], truth + 1e-12);
}

TEST(ClassPrior, NothingBreaksThem) {
  const auto data = gaussians(200, {0.3, 0.5}, 3);
  Labels none(2);
  Labels everything(2);
  for (std::int64_t row = 0; row < 200; ++row) {
    none.append({});
    everything.append({{0, kAnnotated}, {1, kAnnotated}});
  }
  auto constant = data;
  for (float& value : constant.features.values) value = 2;
  auto missing = data;
  for (std::size_t i = 0; i < missing.features.values.size(); i += 3) {
    missing.features.values[i] = std::numeric_limits<float>::quiet_NaN();
  }
  FeatureData empty = data;
  empty.features = {};
  empty.features.columns = 0;
  empty.features.offsets.assign(201, 0);
  for (const auto& entry : prior_estimators()) {
    SCOPED_TRACE(entry.name);
    const auto no_annotation = estimate(data, none, entry.name);
    EXPECT_EQ(no_annotation.prior, (std::vector<double>{0, 0}));
    EXPECT_EQ(no_annotation.multiple, 1);
    EXPECT_EQ(estimate(data, everything, entry.name).prior, (std::vector<double>{1, 1}));
    for (const auto* const hard : {&constant, &missing, &empty}) {
      const auto result = estimate(*hard, hide_each(data.labels, 0.5, 1), entry.name);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_TRUE(result.prior[c] >= result.annotated[c] && result.prior[c] <= 1) << result.prior[c];
      }
    }
    const std::vector<std::int64_t> one{7};
    const auto single = estimate_priors(data.features, everything, one, entry.name, 1);
    EXPECT_EQ(single.prior, (std::vector<double>{1, 1}));
    EXPECT_EQ(estimate_priors(data.features, none, one, entry.name, 1).prior, (std::vector<double>{0, 0}));
    EXPECT_EQ(estimate_priors(data.features, none, {}, entry.name, 1).prior, (std::vector<double>{0, 0}));
    const std::vector<std::int64_t> two{3, 4};
    Labels half(1);
    for (std::int64_t row = 0; row < 200; ++row)
      half.append(row == 3 ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>{});
    const auto pair = estimate_priors(data.features, half, two, entry.name, 1).prior[0];
    EXPECT_TRUE(pair >= 0.5 && pair <= 1) << pair;
  }
}

TEST(ClassPrior, TableIsComplete) {
  for (const auto& entry : prior_estimators()) {
    EXPECT_EQ(find_prior_estimator(entry.name).estimate, entry.estimate);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_FALSE(entry.source.empty());
  }
  EXPECT_THROW(find_prior_estimator("best-bim"), UsageError);
}

}  // namespace
}  // namespace mlpac
