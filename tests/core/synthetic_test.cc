#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// Largest correlation of two label columns.
double largest_correlation(const Labels& labels) {
  const auto classes = static_cast<std::size_t>(labels.classes());
  const auto rows = static_cast<double>(labels.rows());
  std::vector<double> both(classes * classes, 0);
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    for (const LabelEntry& a : labels.row(row)) {
      for (const LabelEntry& b : labels.row(row))
        ++both[static_cast<std::size_t>(a.column) * classes + static_cast<std::size_t>(b.column)];
    }
  }
  double largest = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double p = both[a * classes + a] / rows;
      const double q = both[b * classes + b] / rows;
      largest = std::max(largest, (both[a * classes + b] / rows - p * q) / std::sqrt(p * (1 - p) * q * (1 - q)));
    }
  }
  return largest;
}

TEST(Synthetic, HasTheDemandedShapeAndNames) {
  const FeatureData data = synthesise({.rows = 50, .features = 7, .labels = 5, .positives = 2});
  EXPECT_EQ(data.features.rows(), 50);
  EXPECT_EQ(data.features.columns, 7);
  EXPECT_EQ(data.features.values.size(), 350U);
  EXPECT_EQ(data.labels.rows(), 50);
  EXPECT_EQ(data.labels.classes(), 5);
  EXPECT_EQ(data.feature_names.front(), "f0");
  EXPECT_EQ(data.label_names.back(), "label4");
}

TEST(Synthetic, FeaturesAreStandardNormal) {
  const FeatureData data = synthesise({.rows = 4000, .features = 10});
  double sum = 0;
  double squares = 0;
  for (const float value : data.features.values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  EXPECT_NEAR(sum / 40000, 0, 0.025);
  EXPECT_NEAR(squares / 40000, 1, 0.035);
}

TEST(Synthetic, ClassesHaveTheirPriors) {
  const SyntheticSpec spec{.rows = 20000, .features = 20, .labels = 10, .positives = 3, .imbalance = 8};
  const std::vector<std::int64_t> counts = synthesise(spec).labels.count_per_class(kAnnotated);
  double total = 0;
  for (const std::int64_t count : counts) total += static_cast<double>(count);
  EXPECT_NEAR(total / 20000, 3, 0.15);
  EXPECT_NEAR(static_cast<double>(counts.front()) / static_cast<double>(counts.back()), 8, 1.6);
  for (std::size_t c = 1; c < counts.size(); ++c) EXPECT_LT(counts[c], counts[c - 1]);
}

TEST(Synthetic, PriorsAreCappedAndKeepTheirSum) {
  const SyntheticSpec spec{.rows = 8000, .features = 10, .labels = 4, .positives = 2.4, .imbalance = 10};
  const Labels labels = synthesise(spec).labels;
  EXPECT_NEAR(static_cast<double>(labels.count(kAnnotated)) / 8000, 2.4, 0.1);
  EXPECT_NEAR(static_cast<double>(labels.count_per_class(kAnnotated)[0]) / 8000, 0.9, 0.03);
}

TEST(Synthetic, SeedsChangeRowsAndWorldsChangeTheRule) {
  const SyntheticSpec spec{.rows = 300, .features = 8, .labels = 6, .positives = 2, .seed = 1, .world = 1};
  SyntheticSpec other_rows = spec;
  other_rows.seed = 2;
  SyntheticSpec other_world = spec;
  other_world.world = 2;
  const FeatureData data = synthesise(spec);
  EXPECT_EQ(data.features.values, synthesise(spec).features.values);
  EXPECT_EQ(data.labels, synthesise(spec).labels);
  EXPECT_NE(data.features.values, synthesise(other_rows).features.values);
  EXPECT_EQ(data.features.values, synthesise(other_world).features.values);
  EXPECT_NE(data.labels, synthesise(other_world).labels);
}

TEST(Synthetic, ARowDoesNotDependOnHowManyThereAre) {
  const FeatureData few = synthesise({.rows = 20});
  const FeatureData many = synthesise({.rows = 40});
  for (std::int64_t row = 0; row < 20; ++row) {
    ASSERT_EQ(few.labels.row(row).size(), many.labels.row(row).size());
    for (const LabelEntry& entry : few.labels.row(row)) EXPECT_EQ(many.labels.at(row, entry.column), entry.state);
  }
  EXPECT_TRUE(std::equal(few.features.values.begin(), few.features.values.end(), many.features.values.begin()));
}

TEST(Synthetic, CorrelationJoinsTheClassesOfAGroup) {
  SyntheticSpec spec{
      .rows = 4000, .features = 60, .labels = 12, .positives = 3, .correlation = 1, .imbalance = 1, .noise = 0};
  EXPECT_GT(largest_correlation(synthesise(spec).labels), 0.98);
  spec.correlation = 0;
  EXPECT_LT(largest_correlation(synthesise(spec).labels), 0.5);
}

TEST(Synthetic, WorksAtTheSmallestSize) {
  const FeatureData data =
      synthesise({.rows = 1, .features = 1, .labels = 1, .positives = 0.5, .correlation = 0.5, .imbalance = 1});
  EXPECT_EQ(data.labels.rows(), 1);
}

TEST(Synthetic, RefusesImpossibleDemands) {
  EXPECT_THROW(synthesise({.rows = 0}), UsageError);
  EXPECT_THROW(synthesise({.features = 0}), UsageError);
  EXPECT_THROW(synthesise({.labels = 0}), UsageError);
  EXPECT_THROW(synthesise({.labels = 3, .positives = 2.8}), UsageError);
  EXPECT_THROW(synthesise({.positives = 0}), UsageError);
  EXPECT_THROW(synthesise({.correlation = 1.5}), UsageError);
  EXPECT_THROW(synthesise({.imbalance = 0.5}), UsageError);
  EXPECT_THROW(synthesise({.noise = std::numeric_limits<double>::quiet_NaN()}), UsageError);
}

}  // namespace
}  // namespace mlpac
