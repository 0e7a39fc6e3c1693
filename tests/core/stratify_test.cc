#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// Independent classes of which class c is positive in `top` / (c + 1) of the rows: some are everywhere, most are rare.
/// A tenth of what is left are known negatives.
Labels skewed(std::int64_t rows, std::int32_t classes, double top, std::uint64_t seed) {
  Labels labels(classes);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t key = row_key(stream_key(seed, "skewed"), 0, static_cast<std::uint64_t>(row));
    std::vector<LabelEntry> entries;
    for (std::int32_t c = 0; c < classes; ++c) {
      const double draw = unit_double(bits_at(key, static_cast<std::uint64_t>(c)));
      if (draw < top / (c + 1)) {
        entries.push_back({c, kAnnotated});
      } else if (draw > 0.9) {
        entries.push_back({c, kKnownNegative});
      }
    }
    labels.append(std::move(entries));
  }
  return labels;
}

void expect_partition(const Split& split, std::int64_t rows, double fraction) {
  EXPECT_EQ(static_cast<std::int64_t>(split.validation.size()),
            static_cast<std::int64_t>(std::floor(fraction * static_cast<double>(rows) + 1e-9)));
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
  EXPECT_TRUE(std::is_sorted(split.validation.begin(), split.validation.end()));
  std::vector<std::int64_t> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> expected(static_cast<std::size_t>(rows));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

/// Mean over the classes that occur of |share of its positives that is in validation - fraction|.
double share_error(const Labels& labels, const Split& split, double fraction) {
  const std::vector<std::int64_t> all = labels.count_per_class(kAnnotated);
  const std::vector<std::int64_t> part = labels.select(split.validation).count_per_class(kAnnotated);
  double sum = 0;
  int classes = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c] == 0) continue;
    sum += std::abs(static_cast<double>(part[c]) / static_cast<double>(all[c]) - fraction);
    ++classes;
  }
  return sum / classes;
}

TEST(SplitStratified, SizesAreExact) {
  for (const std::int64_t rows : {1, 2, 7, 100, 997}) {
    for (const double fraction : {0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.9, 1.0}) {
      for (const double top : {0.0, 0.2, 1.0}) {
        expect_partition(split_stratified(skewed(rows, 12, top, 1), fraction, 3), rows, fraction);
      }
    }
  }
}

TEST(SplitStratified, LabelsThatAreFrequentEnoughAreInBothParts) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double fraction : {0.05, 0.1, 0.2, 0.5}) {
      for (const double top : {0.3, 1.0}) {
        const Labels labels = skewed(600, 80, top, seed);
        const Split split = split_stratified(labels, fraction, seed);
        const std::vector<std::int64_t> all = labels.count_per_class(kAnnotated);
        const std::vector<std::int64_t> train = labels.select(split.train).count_per_class(kAnnotated);
        for (std::size_t c = 0; c < all.size(); ++c) {
          if (static_cast<double>(all[c]) < 2 / fraction) continue;
          EXPECT_GT(train[c], 0) << all[c];
          EXPECT_LT(train[c], all[c]) << all[c];
        }
      }
    }
  }
}

TEST(SplitStratified, SharesAreNearerThanThoseOfRandomSplits) {
  for (const double fraction : {0.1, 0.2, 0.5}) {
    const Labels labels = skewed(1000, 60, 0.5, 7);
    double stratified = 0;
    double random = std::numeric_limits<double>::infinity();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      stratified = std::max(stratified, share_error(labels, split_stratified(labels, fraction, seed), fraction));
      random = std::min(random, share_error(labels, split_items(1000, fraction, seed), fraction));
    }
    EXPECT_LT(stratified, random / 2);  // the worst of these against the best of those
  }
}

TEST(SplitStratified, OneLabelIsSplitExactly) {
  // 40 of 100 rows are positive and 20 % go to validation: 8 of them, and 12 of the others.
  Labels labels(1);
  for (int row = 0; row < 100; ++row) {
    labels.append(row % 5 < 2 ? std::vector<LabelEntry>{{0, kAnnotated}}
                              : std::vector<LabelEntry>{{0, kKnownNegative}});
  }
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Split split = split_stratified(labels, 0.2, seed);
    EXPECT_EQ(split.validation.size(), 20U);
    EXPECT_EQ(labels.select(split.validation).count(kAnnotated), 8);
  }
}

TEST(SplitStratified, RareLabelsStayInTraining) {
  // At one tenth, one to four positives are nearer to none than to one in validation; ten give exactly one.
  Labels labels(5);
  for (int row = 0; row < 200; ++row) {
    std::vector<LabelEntry> entries;
    if (row < 10) entries.push_back({row < 1 ? 0 : row < 3 ? 1 : row < 6 ? 2 : 3, kAnnotated});
    if (row >= 10 && row < 20) entries.push_back({4, kAnnotated});
    labels.append(std::move(entries));
  }
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Labels part = labels.select(split_stratified(labels, 0.1, seed).validation);
    EXPECT_EQ(part.count_per_class(kAnnotated), (std::vector<std::int64_t>{0, 0, 0, 0, 1}));
  }
}

TEST(SplitStratified, RarestLabelComesFirst) {
  // The rare class is in half of the rows of the frequent one: both are split exactly only if the rare one goes first.
  Labels labels(2);
  for (int row = 0; row < 100; ++row) {
    std::vector<LabelEntry> entries;
    if (row < 40) entries.push_back({0, kAnnotated});
    if (row < 20) entries.push_back({1, kAnnotated});
    labels.append(std::move(entries));
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Labels part = labels.select(split_stratified(labels, 0.25, seed).validation);
    EXPECT_EQ(part.count_per_class(kAnnotated), (std::vector<std::int64_t>{10, 5}));
  }
}

TEST(SplitStratified, EveryRowIsEquallyLikely) {
  // In particular not the last rows of a file more than the first.
  Labels labels(3);
  for (int row = 0; row < 60; ++row) labels.append({{row % 3, kAnnotated}});
  std::vector<int> chosen(60, 0);
  constexpr int kRounds = 3000;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    for (const std::int64_t row : split_stratified(labels, 0.2, seed).validation)
      ++chosen[static_cast<std::size_t>(row)];
  }
  // Expected 600 each with deviation 22; five deviations.
  for (const int count : chosen) EXPECT_NEAR(count, 0.2 * kRounds, 110);
}

TEST(SplitStratified, DependsOnTheSeedOnly) {
  const Labels labels = skewed(500, 20, 0.5, 1);
  EXPECT_EQ(split_stratified(labels, 0.2, 1).validation, split_stratified(labels, 0.2, 1).validation);
  EXPECT_NE(split_stratified(labels, 0.2, 1).validation, split_stratified(labels, 0.2, 2).validation);
}

TEST(SplitStratified, DegenerateMatrices) {
  expect_partition(split_stratified(Labels(3), 0.5, 1), 0, 0.5);
  expect_partition(split_stratified(Labels(), 0.5, 1), 0, 0.5);

  Labels no_classes(0);
  for (int row = 0; row < 10; ++row) no_classes.append({});
  expect_partition(split_stratified(no_classes, 0.3, 1), 10, 0.3);

  Labels empty(3);
  for (int row = 0; row < 100; ++row) empty.append({});
  expect_partition(split_stratified(empty, 0.3, 1), 100, 0.3);
  EXPECT_NE(split_stratified(empty, 0.3, 1).validation, split_stratified(empty, 0.3, 2).validation);

  Labels everywhere(2);
  for (int row = 0; row < 100; ++row) {
    everywhere.append(row % 2 == 0 ? std::vector<LabelEntry>{{0, kAnnotated}}
                                   : std::vector<LabelEntry>{{0, kAnnotated}, {1, kAnnotated}});
  }
  const Split split = split_stratified(everywhere, 0.3, 1);
  expect_partition(split, 100, 0.3);
  EXPECT_EQ(everywhere.select(split.validation).count_per_class(kAnnotated), (std::vector<std::int64_t>{30, 15}));

  Labels alone(100);  // every row has a label of its own
  for (std::int32_t row = 0; row < 100; ++row) alone.append({{row, kAnnotated}});
  expect_partition(split_stratified(alone, 0.3, 1), 100, 0.3);
}

TEST(SplitStratified, RefusesFractionsOutsideZeroToOne) {
  EXPECT_THROW(split_stratified(Labels(1), -0.1, 0), UsageError);
  EXPECT_THROW(split_stratified(Labels(1), 1.1, 0), UsageError);
  EXPECT_THROW(split_stratified(Labels(1), std::nan(""), 0), UsageError);
}

}  // namespace
}  // namespace mlpac
