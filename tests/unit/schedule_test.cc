// Learning-rate schedules at the points that their definitions fix, and OneCycle against PyTorch's own formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mlpac/error.h"
#include "mlpac/schedule.h"

namespace mlpac {

namespace {

double factor(const Schedule& schedule, std::int64_t step, std::int64_t total) {
  return rate_at(schedule, step, total).factor;
}

TEST(Schedule, ConstantAfterWarmUp) {
  const Schedule schedule{.kind = ScheduleKind::constant, .warmup = 4};
  EXPECT_DOUBLE_EQ(factor(schedule, 0, 10), 0);
  EXPECT_DOUBLE_EQ(factor(schedule, 3, 10), 0.75);
  EXPECT_DOUBLE_EQ(factor(schedule, 4, 10), 1);
  EXPECT_DOUBLE_EQ(factor(schedule, 9, 10), 1);
  EXPECT_DOUBLE_EQ(factor({.kind = ScheduleKind::constant}, 0, 10), 1);
  EXPECT_LT(rate_at(schedule, 0, 10).beta1, 0) << "only one_cycle touches the first moment";
}

TEST(Schedule, LinearReachesZero) {
  const Schedule schedule{.kind = ScheduleKind::linear, .warmup = 2};
  EXPECT_DOUBLE_EQ(factor(schedule, 1, 10), 0.5);
  EXPECT_DOUBLE_EQ(factor(schedule, 2, 10), 1);
  EXPECT_DOUBLE_EQ(factor(schedule, 6, 10), 0.5);
  EXPECT_DOUBLE_EQ(factor(schedule, 10, 10), 0);
  EXPECT_DOUBLE_EQ(factor(schedule, 50, 10), 0);
  EXPECT_DOUBLE_EQ(factor({.kind = ScheduleKind::linear}, 0, 10), 1);
}

// The numbers of the official DocRE run: 381 steps per epoch, warm-up 685, critic frozen after 10 of 30 epochs.
TEST(Schedule, OfficialDocumentRun) {
  const Schedule critic{.kind = ScheduleKind::linear, .warmup = 685};
  EXPECT_NEAR(factor(critic, 3810, 11430), 0.709, 5e-4);
  const Schedule policy{
      .kind = ScheduleKind::linear_restart, .warmup = 685, .restart_step = 3810, .restart_total = 7620};
  EXPECT_DOUBLE_EQ(factor(policy, 3809, 11430), factor(critic, 3809, 11430));
  EXPECT_DOUBLE_EQ(factor(policy, 3810, 11430), factor(critic, 3810, 11430)) << "the switch acts one batch late";
  EXPECT_DOUBLE_EQ(factor(policy, 3811, 11430), 1.0 / 685);
  EXPECT_DOUBLE_EQ(factor(policy, 3810 + 685, 11430), 1);
  EXPECT_NEAR(factor(policy, 11429, 11430), 1.0 / (7620 - 685), 1e-12);
}

TEST(Schedule, CosineIsHalfWayInTheMiddle) {
  const Schedule schedule{.kind = ScheduleKind::cosine, .warmup = 10};
  EXPECT_DOUBLE_EQ(factor(schedule, 5, 110), 0.5);
  EXPECT_DOUBLE_EQ(factor(schedule, 10, 110), 1);
  EXPECT_NEAR(factor(schedule, 60, 110), 0.5, 1e-12);
  EXPECT_NEAR(factor(schedule, 110, 110), 0, 1e-12);
  EXPECT_NEAR(factor(schedule, 200, 110), 0, 1e-12);
}

/// One phase of torch.optim.lr_scheduler.OneCycleLR with anneal_strategy "cos", written as in its source.
double anneal(double start, double end, double pct) {
  return end + (start - end) / 2 * (std::cos(std::numbers::pi * pct) + 1);
}

TEST(Schedule, OneCycleIsPyTorchs) {
  for (const double peak : {0.1, 0.2, 0.3}) {
    const std::int64_t total = 57;
    const Schedule schedule{.kind = ScheduleKind::one_cycle, .peak = peak};
    const double first_end = peak * static_cast<double>(total) - 1;
    const double second_end = static_cast<double>(total) - 1;
    for (std::int64_t step = 0; step < total; ++step) {
      const auto s = static_cast<double>(step);
      const bool rising = s <= first_end;
      const double pct = rising ? s / first_end : (s - first_end) / (second_end - first_end);
      const auto rate = rate_at(schedule, step, total);
      EXPECT_NEAR(rate.factor, rising ? anneal(1.0 / 25, 1, pct) : anneal(1, 1.0 / 25 / 1e4, pct), 1e-12);
      EXPECT_NEAR(rate.beta1, rising ? anneal(0.95, 0.85, pct) : anneal(0.85, 0.95, pct), 1e-12);
    }
  }
}

TEST(Schedule, EveryKindIsFiniteForShortRuns) {
  for (std::size_t kind = 0; kind < schedules().size(); ++kind) {
    for (const std::int64_t total : {0, 1, 2, 3}) {
      for (const std::int64_t warmup : {0, 1, 5}) {
        Schedule schedule{.kind = static_cast<ScheduleKind>(kind), .warmup = warmup};
        schedule.restart_step = 1;
        schedule.restart_total = total;
        for (std::int64_t step = 0; step <= total + 1; ++step) {
          const double f = factor(schedule, step, total);
          EXPECT_TRUE(std::isfinite(f) && f >= 0 && f <= 1)
              << schedules()[kind].name << ", step " << step << " of " << total << ", warm-up " << warmup << ": " << f;
        }
      }
    }
  }
}

TEST(Schedule, Names) {
  EXPECT_EQ(parse_schedule("one-cycle"), ScheduleKind::one_cycle);
  for (std::size_t i = 0; i < schedules().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(parse_schedule(schedules()[i].name)), i);
  }
  EXPECT_THROW(parse_schedule("onecycle"), UsageError);
}

TEST(Schedule, AveragesForgetWhereTheyBegan) {
  EXPECT_DOUBLE_EQ(average_decay(0.997, 0), 0.1);
  EXPECT_DOUBLE_EQ(average_decay(0.997, 90), 0.91);
  EXPECT_DOUBLE_EQ(average_decay(0.997, 100'000), 0.997);
  EXPECT_DOUBLE_EQ(average_decay(0.05, 0), 0.05);
  double first = 1;  // what is left of the first weights after 500 steps: a constant decay would leave 22 %
  for (std::int64_t step = 0; step < 500; ++step) first *= average_decay(0.997, step);
  EXPECT_LT(first, 1e-9);
}

}  // namespace

}  // namespace mlpac
