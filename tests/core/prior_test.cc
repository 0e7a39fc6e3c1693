// Bounding the share of positives by what is annotated.
#include "mlpac/prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "curves.h"

namespace mlpac {
namespace {

using curves::drawn;
using curves::kMiddle;

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

TEST(PriorBound, ThousandsOfAnnotationsLookAtTheSurestOnly) {
  // The top tenth of the annotations lies among entries that are all positive, the next ones among many that are not.
  ScoreCurve curve;
  curve.entries[kMiddle + 8] = 4000;
  curve.annotated[kMiddle + 8] = 400;
  curve.entries[kMiddle + 4] = 40000;
  curve.annotated[kMiddle + 4] = 1600;
  curve.entries[kMiddle - 4] = 400000;
  curve.annotated[kMiddle - 4] = 2000;
  const double low = 0.1 - std::sqrt(0.1 * 0.9 / 4000);
  EXPECT_NEAR(bound_of_prior(curve), 0.8 * 4000 / 444000 / low, 1e-12);
}

}  // namespace
}  // namespace mlpac
