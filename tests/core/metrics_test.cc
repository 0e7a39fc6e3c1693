#include "mlpac/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// Average precision by its definition, quadratic: over positives, the precision among entries with at least its score.
double brute_force_ap(const std::vector<double>& scores, const std::vector<std::int8_t>& targets, Zeros zeros) {
  double sum = 0;
  int positives = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (targets[i] != 1) continue;
    ++positives;
    int above = 0;
    int above_positive = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (scores[j] < scores[i] || (targets[j] == 0 && zeros == Zeros::masked)) continue;
      ++above;
      above_positive += targets[j] == 1 ? 1 : 0;
    }
    sum += static_cast<double>(above_positive) / above;
  }
  return positives == 0 ? 0 : sum / positives;
}

TEST(Counts, PercentagesOfAKnownTable) {
  const Counts counts{6, 2, 4, 88};
  EXPECT_DOUBLE_EQ(counts.precision(), 75);
  EXPECT_DOUBLE_EQ(counts.recall(), 60);
  EXPECT_DOUBLE_EQ(counts.f1(), 100 * 12.0 / 18);
  EXPECT_EQ(counts.predicted(), 8);
  EXPECT_EQ(counts.entries(), 100);
}

TEST(Counts, EmptyDenominatorsGiveZero) {
  EXPECT_EQ(Counts{}.precision(), 0);
  EXPECT_EQ(Counts{}.recall(), 0);
  EXPECT_EQ(Counts{}.f1(), 0);
  EXPECT_EQ(lee_liu(Counts{}), 0);
  EXPECT_EQ(lee_liu(Counts{0, 0, 5, 95}), 0);
}

TEST(Count, MaskLeavesUnknownEntriesOut) {
  const std::vector<std::uint8_t> decisions{1, 1, 0, 1, 0, 0};
  const std::vector<std::int8_t> targets{1, 0, 1, -1, 0, -1};
  const Counts open = count({decisions, 2, 3}, {targets, 2, 3});
  EXPECT_EQ(open.true_positive, 1);
  EXPECT_EQ(open.false_positive, 2);
  EXPECT_EQ(open.false_negative, 1);
  EXPECT_EQ(open.true_negative, 2);
  const Counts masked = count({decisions, 2, 3}, {targets, 2, 3}, Zeros::masked);
  EXPECT_EQ(masked.true_positive, 1);
  EXPECT_EQ(masked.false_positive, 1);
  EXPECT_EQ(masked.false_negative, 1);
  EXPECT_EQ(masked.true_negative, 1);
}

TEST(AveragePrecision, ClosedForms) {
  const std::vector<std::int8_t> targets{1, 0, 1, 0};
  EXPECT_DOUBLE_EQ(average_precision(std::vector<double>{4, 3, 2, 1}, targets), (1.0 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(average_precision(std::vector<double>{4, 1, 3, 2}, targets), 1);
  EXPECT_DOUBLE_EQ(average_precision(std::vector<double>{1, 4, 2, 3}, targets), (1.0 / 3 + 2.0 / 4) / 2);
  EXPECT_DOUBLE_EQ(average_precision(std::vector<double>{7, 7, 7, 7}, targets), 0.5);  // all tied: the prior
  EXPECT_EQ(average_precision(std::vector<double>{1, 2}, std::vector<std::int8_t>{0, -1}), 0);
  EXPECT_EQ(average_precision({}, {}), 0);
  EXPECT_THROW(average_precision(std::vector<double>{1}, targets), Error);
}

TEST(AveragePrecision, NanRanksLast) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(average_precision(std::vector<double>{nan, -5}, std::vector<std::int8_t>{1, 0}), 0.5);
}

TEST(Evaluate, AgreesWithBruteForce) {
  // 700 rows use the radix sort, 50 the other one; a third of the scores are tied, and both signs of zero occur.
  for (const std::int64_t rows : {50, 700}) {
    const std::int64_t classes = 19;
    const auto size = static_cast<std::size_t>(rows * classes);
    std::vector<float> scores(size);
    std::vector<std::uint8_t> decisions(size);
    std::vector<std::int8_t> targets(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t bits = bits_at(17, i);
      scores[i] = static_cast<float>(normal_at(5, i));
      if (bits % 3 == 0)
        scores[i] = static_cast<float>(static_cast<int>(bits % 7) - 3) * (bits % 2 == 0 ? 1.0F : -0.0F);
      decisions[i] = scores[i] > 0.5F ? 1 : 0;
      targets[i] = static_cast<std::int8_t>(static_cast<int>((bits >> 20U) % 3) - 1);
    }
    for (const Zeros zeros : {Zeros::negative, Zeros::masked}) {
      const Metrics metrics =
          evaluate({scores, rows, classes}, {decisions, rows, classes}, {targets, rows, classes}, zeros);
      ASSERT_EQ(metrics.class_ap.size(), static_cast<std::size_t>(classes));
      double map = 0;
      double macro_f1 = 0;
      double tp = 0;
      double fp = 0;
      double fn = 0;
      for (std::int64_t c = 0; c < classes; ++c) {
        std::vector<double> column;
        std::vector<std::int8_t> labels;
        double class_tp = 0;
        double class_fp = 0;
        double class_fn = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
          const auto at = static_cast<std::size_t>(r * classes + c);
          column.push_back(scores[at]);
          labels.push_back(targets[at]);
          if (targets[at] == 1) (decisions[at] != 0 ? class_tp : class_fn) += 1;
          if (targets[at] == -1 || (targets[at] == 0 && zeros == Zeros::negative)) class_fp += decisions[at];
        }
        const double expected = brute_force_ap(column, labels, zeros);
        EXPECT_NEAR(metrics.class_ap[static_cast<std::size_t>(c)], 100 * expected, 1e-10);
        EXPECT_NEAR(average_precision(column, labels, zeros), expected, 1e-12);
        map += 100 * expected / static_cast<double>(classes);
        macro_f1 += 100 * 2 * class_tp / (2 * class_tp + class_fp + class_fn) / static_cast<double>(classes);
        tp += class_tp;
        fp += class_fp;
        fn += class_fn;
      }
      EXPECT_NEAR(metrics.map, map, 1e-9);
      EXPECT_NEAR(metrics.macro_f1, macro_f1, 1e-9);
      EXPECT_NEAR(metrics.precision, 100 * tp / (tp + fp), 1e-9);
      EXPECT_NEAR(metrics.recall, 100 * tp / (tp + fn), 1e-9);
      EXPECT_NEAR(metrics.f1, 200 * tp / (2 * tp + fp + fn), 1e-9);
    }
  }
}

TEST(Evaluate, ClassWithoutPositivesCountsZero) {
  const std::vector<float> scores{0.9F, 0.8F, 0.1F, 0.2F};
  const std::vector<std::uint8_t> decisions{1, 1, 0, 0};
  const std::vector<std::int8_t> targets{1, 0, 0, 0};
  const Metrics metrics = evaluate({scores, 2, 2}, {decisions, 2, 2}, {targets, 2, 2});
  EXPECT_DOUBLE_EQ(metrics.class_ap[0], 100);
  EXPECT_DOUBLE_EQ(metrics.class_ap[1], 0);
  EXPECT_DOUBLE_EQ(metrics.map, 50);
  EXPECT_DOUBLE_EQ(metrics.macro_f1, 50);
  EXPECT_DOUBLE_EQ(metrics.macro_precision, 50);
  EXPECT_DOUBLE_EQ(metrics.macro_recall, 50);
  EXPECT_DOUBLE_EQ(metrics.f1, 100 * 2.0 / 3);
}

TEST(Evaluate, RefusesShapesThatDoNotMatch) {
  const std::vector<float> scores(6);
  const std::vector<std::uint8_t> decisions(6);
  const std::vector<std::int8_t> targets(6);
  EXPECT_NO_THROW(evaluate({scores, 2, 3}, {decisions, 2, 3}, {targets, 2, 3}));
  EXPECT_THROW(evaluate({scores, 3, 2}, {decisions, 2, 3}, {targets, 2, 3}), Error);
  EXPECT_THROW(evaluate({scores, 2, 3}, {decisions, 2, 2}, {targets, 2, 3}), Error);
  EXPECT_THROW(count({decisions, 7, 3}, {targets, 7, 3}), Error);
  EXPECT_EQ(evaluate({{}, 0, 0}, {{}, 0, 0}, {{}, 0, 0}).map, 0);
}

TEST(LeeLiu, IsRecallSquaredOverRate) {
  // 8 of 10 annotated entries are TRUE, 20 of 100 entries in all.
  EXPECT_DOUBLE_EQ(lee_liu(Counts{8, 12, 2, 78}), 0.8 * 0.8 / 0.2);
}

}  // namespace
}  // namespace mlpac
