// Bounding the share of positives by what is annotated, and the threshold that follows.
#include "mlpac/prior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace mlpac {
namespace {

constexpr std::size_t kMiddle = ScoreCurve::kBins / 2;

/// Entries whose log-odds are normal: `positives` of `entries` around `gap`, the others around -1; a share of the
/// positives is annotated.
ScoreCurve drawn(std::int64_t entries, double prior, double gap, double annotated, std::uint64_t seed) {
  ScoreCurve curve;
  std::uint64_t next = 0;
  const auto uniform = [&] { return (static_cast<double>(bits_at(seed, next++) >> 11U) + 0.5) / 9007199254740992.0; };
  for (std::int64_t i = 0; i < entries; ++i) {
    const bool positive = uniform() < prior;
    const double u = uniform();
    const double v = uniform();
    const double normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    const double z = normal + (positive ? gap : -1);
    const auto bin = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor(z * ScoreCurve::kBinsPerUnit)) + ScoreCurve::kBins / 2, 0,
        ScoreCurve::kBins - 1);
    ++curve.entries[static_cast<std::size_t>(bin)];
    if (positive && uniform() < annotated) ++curve.annotated[static_cast<std::size_t>(bin)];
  }
  return curve;
}

TEST(PriorBound, ByHand) {
  ScoreCurve curve;
  curve.entries[kMiddle + 4] = 200;  // a pure top: half of the annotations among a tenth of the entries
  curve.annotated[kMiddle + 4] = 50;
  curve.entries[kMiddle - 4] = 1800;
  curve.annotated[kMiddle - 4] = 50;
  // q / r at the upper threshold, r lowered by its standard error 0.05; everything TRUE bounds nothing.
  EXPECT_NEAR(bound_of_prior(curve), 0.8 * 0.1 / 0.45, 1e-12);
}

TEST(PriorBound, IsNearThePriorWhereClassesAreSeparable) {
  for (const double prior : {0.02, 0.1, 0.4}) {
    for (const double annotated : {0.1, 0.5}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const double bound = bound_of_prior(drawn(20000, prior, 2.5, annotated, seed));
        EXPECT_GT(bound, 0.6 * prior) << annotated;
        EXPECT_LT(bound, 1.3 * prior) << annotated;
      }
    }
  }
}

TEST(PriorBound, WithoutEvidenceHalfIsAssumed) {
  EXPECT_EQ(bound_of_prior(ScoreCurve()), 0.5);
  ScoreCurve unlabelled;
  unlabelled.entries[kMiddle] = 10;
  EXPECT_EQ(bound_of_prior(unlabelled), 0.5);
  ScoreCurve all;  // every entry is annotated: the share is known
  all.entries[kMiddle] = all.annotated[kMiddle] = 30;
  EXPECT_EQ(bound_of_prior(all), 1);
}

TEST(ScoreCurves, AddUp) {
  auto a = drawn(1000, 0.2, 2, 0.5, 1);
  const auto b = drawn(1000, 0.2, 2, 0.5, 2);
  const auto before = a;
  a.add(b);
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    EXPECT_EQ(a.entries[i], before.entries[i] + b.entries[i]);
    EXPECT_EQ(a.annotated[i], before.annotated[i] + b.annotated[i]);
  }
}

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

}  // namespace
}  // namespace mlpac
