#include "mlpac/annotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// Complete labels with positives and known negatives.
Labels complete(std::int64_t rows, std::int32_t classes) {
  Labels labels(classes);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<LabelEntry> entries;
    for (std::int32_t c = 0; c < classes; ++c) {
      const bool positive = bits_at(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(c)) % 5 == 0;
      entries.push_back({c, positive ? kAnnotated : kKnownNegative});
    }
    labels.append(entries);
  }
  return labels;
}

void expect_subset(const Labels& part, const Labels& whole) {
  ASSERT_EQ(part.rows(), whole.rows());
  ASSERT_EQ(part.classes(), whole.classes());
  for (std::int64_t row = 0; row < part.rows(); ++row) {
    for (const LabelEntry& entry : part.row(row)) EXPECT_EQ(whole.at(row, entry.column), entry.state);
  }
}

TEST(HideExact, KeepsExactlyTheFloor) {
  const Labels truth = complete(101, 7);
  const std::int64_t positives = truth.count(kAnnotated);
  for (const double ratio : {0.0, 0.1, 0.3, 0.5, 0.7, 1.0}) {
    const Labels kept = hide_exact(truth, ratio, 4);
    EXPECT_EQ(kept.count(kAnnotated),
              static_cast<std::int64_t>(std::floor(ratio * static_cast<double>(positives) + 1e-9)));
    EXPECT_EQ(kept.count(kKnownNegative), 0);
    expect_subset(kept, truth);
  }
}

TEST(HideExact, DoesNotLoseOneToRounding) {
  Labels truth(1);
  for (int i = 0; i < 10; ++i) truth.append({{0, kAnnotated}});
  EXPECT_EQ(hide_exact(truth, 0.3, 0).count(kAnnotated), 3);
  EXPECT_EQ(hide_exact(truth, 0.7, 0).count(kAnnotated), 7);
  EXPECT_EQ(hide_exact(truth, 0.29, 0).count(kAnnotated), 2);
}

TEST(HideExact, DependsOnTheSeedOnlyAndIsNested) {
  const Labels truth = complete(200, 5);
  EXPECT_EQ(hide_exact(truth, 0.4, 1), hide_exact(truth, 0.4, 1));
  EXPECT_NE(hide_exact(truth, 0.4, 1), hide_exact(truth, 0.4, 2));
  expect_subset(hide_exact(truth, 0.1, 1), hide_exact(truth, 0.4, 1));
}

TEST(HideExact, IsUniform) {
  Labels truth(4);
  for (int i = 0; i < 5; ++i) truth.append({{0, kAnnotated}, {1, kAnnotated}, {2, kAnnotated}, {3, kAnnotated}});
  std::vector<int> kept(20, 0);
  constexpr int kRounds = 4000;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Labels part = hide_exact(truth, 0.25, seed);
    for (std::int64_t row = 0; row < 5; ++row) {
      for (const LabelEntry& entry : part.row(row)) ++kept[static_cast<std::size_t>(4 * row + entry.column)];
    }
  }
  // Expected 1000 each with deviation 27; five deviations.
  for (const int count : kept) EXPECT_NEAR(count, kRounds / 4.0, 140);
}

TEST(HideIndependent, ForgetsWhereTheDrawIsBelow) {
  Labels truth(2);
  truth.append({{0, kAnnotated}, {1, kKnownNegative}});
  truth.append({{0, kKnownNegative}, {1, kAnnotated}});
  const std::vector<double> draws{0.2, 0.5, 0.49, 0.9};
  const Labels kept = hide_independent(truth, draws, 0.5);
  EXPECT_EQ(kept.at(0, 0), kUnknown);
  EXPECT_EQ(kept.at(0, 1), kKnownNegative);  // 0.5 is not below 0.5
  EXPECT_EQ(kept.at(1, 0), kUnknown);
  EXPECT_EQ(kept.at(1, 1), kAnnotated);
  EXPECT_EQ(hide_independent(truth, draws, 0), truth);
  EXPECT_THROW(hide_independent(truth, std::vector<double>(3), 0.5), Error);
}

TEST(HidePerClass, KeepsTheSameNumberOfBothKinds) {
  const Labels truth = complete(60, 6);
  const std::vector<std::int64_t> positives = truth.count_per_class(kAnnotated);
  const std::vector<std::int64_t> negatives = truth.count_per_class(kKnownNegative);
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{10}, std::int64_t{1000}}) {
    const Labels kept = hide_per_class(truth, count, 9);
    expect_subset(kept, truth);
    const std::vector<std::int64_t> kept_positives = kept.count_per_class(kAnnotated);
    const std::vector<std::int64_t> kept_negatives = kept.count_per_class(kKnownNegative);
    for (std::size_t c = 0; c < positives.size(); ++c) {
      EXPECT_EQ(kept_positives[c], std::min(count, positives[c]));
      EXPECT_EQ(kept_negatives[c], std::min(count, negatives[c]));
    }
  }
}

TEST(SplitItems, PartitionsInOrder) {
  for (const double fraction : {0.0, 0.1, 0.25, 0.3, 1.0}) {
    const Split split = split_items(10, fraction, 3);
    EXPECT_EQ(split.validation.size(), static_cast<std::size_t>(std::floor(fraction * 10 + 1e-9)));
    EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
    EXPECT_TRUE(std::is_sorted(split.validation.begin(), split.validation.end()));
    std::vector<std::int64_t> all = split.train;
    all.insert(all.end(), split.validation.begin(), split.validation.end());
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> expected(10);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
  }
  EXPECT_EQ(split_items(1000, 0.2, 1).validation, split_items(1000, 0.2, 1).validation);
  EXPECT_NE(split_items(1000, 0.2, 1).validation, split_items(1000, 0.2, 2).validation);
  EXPECT_TRUE(split_items(0, 0.5, 1).train.empty());
}

TEST(Annotation, RefusesFractionsOutsideZeroToOne) {
  const Labels truth = complete(3, 2);
  EXPECT_THROW(hide_exact(truth, -0.1, 0), UsageError);
  EXPECT_THROW(hide_exact(truth, 1.1, 0), UsageError);
  EXPECT_THROW(hide_exact(truth, std::nan(""), 0), UsageError);
  EXPECT_THROW(hide_per_class(truth, -1, 0), UsageError);
  EXPECT_THROW(split_items(5, 2, 0), UsageError);
  EXPECT_THROW(split_items(-5, 0.5, 0), UsageError);
}

}  // namespace
}  // namespace mlpac
