// The line between TRUE and FALSE: one for all classes, and those of single classes.
#include "mlpac/thresholds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "curves.h"

namespace mlpac {
namespace {

using curves::drawn;
using curves::kMiddle;

TEST(BestThreshold, FollowsTheScores) {
  // Positives around 2.5, others around -1: the best cut is between; moved by 3, the cut moves as well.
  const auto curve = drawn(50000, 0.1, 2.5, 0.5, 3);
  const double cut = best_threshold(curve, 0.1);
  EXPECT_GT(cut, 0);
  EXPECT_LT(cut, 2);
  ScoreCurve moved;
  for (std::size_t i = 12; i < curve.entries.size(); ++i) {
    moved.entries[i - 12] += curve.entries[i];
    moved.annotated[i - 12] += curve.annotated[i];
  }
  EXPECT_NEAR(best_threshold(moved, 0.1), cut - 3, 1e-12);
  EXPECT_EQ(best_threshold(ScoreCurve(), 0.1), 0);
}

TEST(BestThreshold, IsNeverAlwaysTrue) {
  // Annotations lie no higher than other entries: nothing is known, but most entries stay FALSE.
  ScoreCurve curve;
  for (std::size_t bin = kMiddle + 4; bin < kMiddle + 14; ++bin) {
    curve.entries[bin] = 100;
    curve.annotated[bin] = 2;
  }
  const double rate = rate_above(curve, best_threshold(curve, 0.5));
  EXPECT_GT(rate, 0);
  EXPECT_LE(rate, 0.75);
}

TEST(BestThreshold, RatesAndThresholdsGoBothWays) {
  const auto curve = drawn(20000, 0.1, 2.5, 0.5, 4);
  for (const double threshold : {-2.0, 0.0, 1.5}) {
    EXPECT_DOUBLE_EQ(threshold_of_rate(curve, rate_above(curve, threshold)), threshold);
  }
  EXPECT_DOUBLE_EQ(rate_above(curve, -100), 1);
  EXPECT_DOUBLE_EQ(rate_above(curve, 100), 0);
}

/// F1 of all classes together, from the shares that are truly positive: what a user gets.
double estimated(std::span<const ScoreCurve> classes, std::span<const double> thresholds, double prior) {
  double hits = 0;
  double annotated = 0;
  double predicted = 0;
  double entries = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t bin = 0; bin < classes[c].entries.size(); ++bin) {
      const double edge =
          (static_cast<double>(bin) - static_cast<double>(kMiddle)) / static_cast<double>(ScoreCurve::kBinsPerUnit);
      annotated += static_cast<double>(classes[c].annotated[bin]);
      entries += static_cast<double>(classes[c].entries[bin]);
      if (edge < thresholds[c]) continue;
      hits += static_cast<double>(classes[c].annotated[bin]);
      predicted += static_cast<double>(classes[c].entries[bin]);
    }
  }
  return 2 * hits / annotated * prior * entries / (predicted + prior * entries);
}

TEST(RecallAround, ComparesOrdersWhateverTheirScale) {
  // Of 1000 entries 100 are annotated; the first model has them first, the second among twice as many, the third
  // nowhere in particular. Log-odds of the second are larger everywhere, which means nothing.
  const auto curve = [](double shift, int spread) {
    ScoreCurve result;
    for (int i = 0; i < 1000; ++i) {
      const auto bin = ScoreCurve::bin_of(shift + 4.0 - 8.0 * i / 1000);
      ++result.entries[bin];
      if (i % spread == 0 && i < 100 * spread) ++result.annotated[bin];
    }
    return result;
  };
  EXPECT_NEAR(recall_around(curve(0, 1), 0.05), 0.51, 0.03);  // the mean of shares around it
  EXPECT_NEAR(recall_around(curve(3, 2), 0.05), 0.26, 0.02);
  EXPECT_NEAR(recall_around(curve(0, 10), 0.05), 0.05, 0.01);
  EXPECT_NEAR(recall_around(curve(0, 1), 1), 1, 1e-9);
  EXPECT_EQ(recall_around(curve(0, 1), 0), 0);
}

TEST(ClassThresholds, AClassWithItsOwnScaleGetsItsOwnThreshold) {
  // The scores of the second class lie 2 lower: one line cannot suit both.
  auto low = drawn(40000, 0.1, 2.5, 0.5, 6);
  ScoreCurve moved;
  for (std::size_t i = 8; i < low.entries.size(); ++i) {
    moved.entries[i - 8] += low.entries[i];
    moved.annotated[i - 8] += low.annotated[i];
  }
  const std::array classes{drawn(40000, 0.1, 2.5, 0.5, 5), moved};
  ScoreCurve all;
  for (const auto& curve : classes) all.add(curve);
  const double common = best_threshold(all, 0.1);
  const auto own = class_thresholds(classes, common, 0.1);
  ASSERT_EQ(own.size(), 2U);
  EXPECT_NEAR(own[0] - own[1], 2, 0.51);
  const std::array both{common, common};
  EXPECT_GT(estimated(classes, own, 0.1), estimated(classes, both, 0.1) + 0.02);
}

TEST(ClassThresholds, FewAnnotationsKeepTheCommonOne) {
  std::vector<ScoreCurve> classes;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) classes.push_back(drawn(200, 0.03, 2.5, 0.3, seed));
  ScoreCurve all;
  for (const auto& curve : classes) all.add(curve);
  const double common = best_threshold(all, 0.03);
  const auto own = class_thresholds(classes, common, 0.03);
  const auto changed = std::count_if(own.begin(), own.end(), [&](double t) { return t != common; });
  EXPECT_LT(changed, 40);  // all classes are alike: only chance moves a threshold
  EXPECT_GT(estimated(classes, own, 0.03), estimated(classes, std::vector<double>(200, common), 0.03) - 1e-9);
}

TEST(ClassThresholds, WithoutAnnotationsNothingChanges) {
  const std::array<ScoreCurve, 3> empty;
  EXPECT_EQ(class_thresholds(empty, 0.75, 0.1), std::vector<double>(3, 0.75));
  EXPECT_TRUE(class_thresholds({}, 0.75, 0.1).empty());
}

TEST(MeanLogRank, CountsWhatLiesAboveTheAnnotationsOfEachClass) {
  std::mt19937 random(3);
  std::vector<ScoreCurve> classes(4);
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {  // the last class has no annotations and does not count
    std::vector<std::pair<std::size_t, bool>> entries;
    for (int i = 0; i < 400; ++i) {
      const bool positive = random() % 10 == 0;
      entries.emplace_back(40 + (positive ? c * 3 : 0) + random() % 12, positive);
      ++classes[c].entries[entries.back().first];
      classes[c].annotated[entries.back().first] += positive ? 1 : 0;
    }
    double own = 0;
    double positives = 0;
    for (const auto& [bin, positive] : entries) {
      if (!positive) continue;
      double above = 0;
      for (const auto& [other, ignored] : entries) above += other > bin ? 1 : other == bin ? 0.5 : 0;
      own -= std::log(above / 400);
      ++positives;
    }
    sum += own / positives;
  }
  ++classes[3].entries[50];
  EXPECT_NEAR(mean_log_rank(classes), sum / 3, 1e-12);
  EXPECT_EQ(mean_log_rank(std::span(classes).last(1)), 0);
  EXPECT_EQ(mean_log_rank({}), 0);
}

TEST(MeanLogRank, IsOneInRandomOrderAndHigherInAGoodOne) {
  ScoreCurve flat;
  for (auto& entries : flat.entries) entries = 1000;
  flat.annotated = flat.entries;
  EXPECT_NEAR(mean_log_rank(std::span(&flat, 1)), 1, 0.02);
  auto good = flat;
  good.annotated.assign(good.annotated.size(), 0);
  good.annotated.back() = 10;
  EXPECT_GT(mean_log_rank(std::span(&good, 1)), 4);
}

}  // namespace
}  // namespace mlpac
