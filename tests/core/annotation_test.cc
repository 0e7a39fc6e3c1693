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

TEST(HideClassRatio, KeepsExactlyTheFloorOfEveryClass) {
  Labels truth = complete(101, 7);
  for (int i = 0; i < 10; ++i) truth.append({{0, kAnnotated}});  // an uneven class
  const std::vector<std::int64_t> positives = truth.count_per_class(kAnnotated);
  for (const double ratio : {0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 1.0}) {
    const Labels kept = hide_class_ratio(truth, ratio, 4);
    expect_subset(kept, truth);
    EXPECT_EQ(kept.count(kKnownNegative), 0);
    const std::vector<std::int64_t> counts = kept.count_per_class(kAnnotated);
    for (std::size_t c = 0; c < positives.size(); ++c) {
      EXPECT_EQ(counts[c], static_cast<std::int64_t>(std::floor(ratio * static_cast<double>(positives[c]) + 1e-9)));
    }
  }
}

TEST(HideClassRatio, IsUniformWithinAClass) {
  Labels truth(2);
  for (int i = 0; i < 10; ++i) truth.append({{0, kAnnotated}, {1, kAnnotated}});
  std::vector<int> kept(20, 0);
  constexpr int kRounds = 4000;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Labels part = hide_class_ratio(truth, 0.3, seed);
    for (std::int64_t row = 0; row < 10; ++row) {
      for (const LabelEntry& entry : part.row(row)) ++kept[static_cast<std::size_t>(2 * row + entry.column)];
    }
  }
  // Expected 1200 each with deviation 29; five deviations.
  for (const int count : kept) EXPECT_NEAR(count, 0.3 * kRounds, 145);
}

TEST(HideEach, KeepsABinomialNumber) {
  const Labels truth = complete(400, 10);
  const auto positives = static_cast<double>(truth.count(kAnnotated));
  for (const double ratio : {0.05, 0.3, 0.5, 0.9}) {
    double sum = 0;
    double squares = 0;
    constexpr int kRounds = 200;
    const double deviation = std::sqrt(positives * ratio * (1 - ratio));
    for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
      const auto count = static_cast<double>(hide_each(truth, ratio, seed).count(kAnnotated));
      sum += count;
      squares += (count - positives * ratio) * (count - positives * ratio);
    }
    EXPECT_NEAR(sum / kRounds, positives * ratio, 4 * deviation / std::sqrt(kRounds));
    // The number varies as much as a binomial one: its variance is estimated to within sqrt(2 / rounds).
    EXPECT_NEAR(squares / kRounds / (deviation * deviation), 1, 4 * std::sqrt(2.0 / kRounds));
  }
  EXPECT_EQ(hide_each(truth, 0, 1).count(kAnnotated), 0);
  EXPECT_EQ(hide_each(truth, 1, 1).count(kAnnotated), truth.count(kAnnotated));
}

TEST(HideEach, DrawsOfARowAndOfAClassAreIndependent) {
  // Two entries of a row, and one class in two rows: both kept in a quarter of the rounds.
  Labels truth(2);
  truth.append({{0, kAnnotated}, {1, kAnnotated}});
  truth.append({{0, kAnnotated}});
  int same_row = 0;
  int same_class = 0;
  constexpr int kRounds = 4000;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Labels kept = hide_each(truth, 0.5, seed);
    same_row += kept.at(0, 0) == kAnnotated && kept.at(0, 1) == kAnnotated ? 1 : 0;
    same_class += kept.at(0, 0) == kAnnotated && kept.at(1, 0) == kAnnotated ? 1 : 0;
  }
  EXPECT_NEAR(same_row, kRounds / 4.0, 4 * std::sqrt(kRounds * 3.0 / 16));
  EXPECT_NEAR(same_class, kRounds / 4.0, 4 * std::sqrt(kRounds * 3.0 / 16));
}

TEST(HideModes, TheTableNamesTheFunctions) {
  const Labels truth = complete(300, 5);
  ASSERT_EQ(hide_modes().size(), 4U);
  for (const HideEntry& entry : hide_modes()) EXPECT_FALSE(entry.summary.empty());
  EXPECT_EQ(hide(truth, parse_hide_mode("exact"), 0.4, 3), hide_exact(truth, 0.4, 3));
  EXPECT_EQ(hide(truth, parse_hide_mode("per-class"), 0.4, 3), hide_class_ratio(truth, 0.4, 3));
  EXPECT_EQ(hide(truth, parse_hide_mode("independent"), 0.4, 3), hide_each(truth, 0.4, 3));
  EXPECT_THROW(parse_hide_mode("per-clas"), UsageError);
}

TEST(HideModes, APlanIsAModeWithARatioOrANumber) {
  const Labels truth = complete(300, 5);
  EXPECT_EQ(hide(truth, parse_hide_plan("independent", 0.4), 3), hide_each(truth, 0.4, 3));
  EXPECT_EQ(hide(truth, parse_hide_plan("fixed:7", std::nullopt), 3), hide_per_class(truth, 7, 3));
  EXPECT_FALSE(parse_hide_plan("exact", std::nullopt).hides());
  EXPECT_EQ(hide(truth, parse_hide_plan("exact", std::nullopt), 3), truth);
  for (const char* wrong : {"fixed:N", "fixed:", "fixed:0", "fixed:-3", "fixed:3x", "fixed", "some"}) {
    EXPECT_THROW(parse_hide_plan(wrong, std::nullopt), UsageError) << wrong;
  }
  EXPECT_THROW(parse_hide_plan("fixed:7", 0.4), UsageError);
}

TEST(HideModes, DependOnTheSeedOnlyAndAreNested) {
  const Labels truth = complete(200, 5);
  for (const HideEntry& entry : hide_modes().first(3)) {
    SCOPED_TRACE(entry.name);
    const HideMode mode = parse_hide_mode(entry.name);
    EXPECT_EQ(hide(truth, mode, 0.4, 1), hide(truth, mode, 0.4, 1));
    EXPECT_NE(hide(truth, mode, 0.4, 1), hide(truth, mode, 0.4, 2));
    expect_subset(hide(truth, mode, 0.4, 1), truth);
    expect_subset(hide(truth, mode, 0.1, 1), hide(truth, mode, 0.4, 1));
    EXPECT_EQ(hide(truth, mode, 0.4, 1).count(kKnownNegative), 0);
    EXPECT_EQ(hide(Labels(3), mode, 0.4, 1), Labels(3));
    EXPECT_THROW(hide(truth, mode, -0.1, 1), UsageError);
    EXPECT_THROW(hide(truth, mode, 1.1, 1), UsageError);
    EXPECT_THROW(hide(truth, mode, std::nan(""), 1), UsageError);
  }
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

TEST(Folds, CoverEveryRowOnceAndSpreadRareClasses) {
  Labels labels(3);  // class 0 in every second row, class 1 in six rows, class 2 never annotated
  for (int row = 0; row < 61; ++row) {
    std::vector<LabelEntry> entries;
    if (row % 2 == 0) entries.push_back({0, kAnnotated});
    if (row % 10 == 3) entries.push_back({1, kAnnotated});
    if (row % 3 == 0) entries.push_back({2, kKnownNegative});
    labels.append(std::move(entries));
  }
  for (const std::int64_t folds : {2, 3, 5}) {
    const auto splits = split_folds(labels, folds, 7);
    ASSERT_EQ(splits.size(), static_cast<std::size_t>(folds));
    std::vector<int> seen(61, 0);
    for (const auto& split : splits) {
      EXPECT_EQ(split.train.size() + split.validation.size(), 61U);
      for (const std::int64_t row : split.validation) ++seen[static_cast<std::size_t>(row)];
      const auto counts = labels.select(split.validation).count_per_class(kAnnotated);
      EXPECT_NEAR(static_cast<double>(counts[0]), 31.0 / static_cast<double>(folds), 1.01);
      EXPECT_NEAR(static_cast<double>(counts[1]), 6.0 / static_cast<double>(folds), 1.01);
    }
    EXPECT_EQ(seen, std::vector<int>(61, 1));
    EXPECT_NE(split_folds(labels, folds, 8)[0].validation, splits[0].validation);
    EXPECT_EQ(split_folds(labels, folds, 7)[0].validation, splits[0].validation);
  }
  EXPECT_THROW(split_folds(labels, 1, 7), UsageError);
  EXPECT_THROW(split_folds(labels, 62, 7), UsageError);
}

}  // namespace
}  // namespace mlpac
