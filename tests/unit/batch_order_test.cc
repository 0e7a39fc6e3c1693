// Which rows a step sees: each once an epoch, annotated ones beside them when they are drawn separately, and always a
// function of seed, epoch and step.
#include "train/batch_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "methods/supervised.h"
#include "mlpac/error.h"
#include "tiny_problem.h"
#include "training_bench.h"

namespace mlpac {

namespace {

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), std::int64_t{0});
  return result;
}

TEST(BatchOrder, EveryItemOnceAnEpoch) {
  const BatchOrder order(numbers(23), {}, {}, 5, 1, 3);
  EXPECT_EQ(BatchOrder::steps(23, {}, 5), 5);
  std::vector<std::int64_t> seen;
  for (std::int64_t step = 0; step < 5; ++step) {
    const auto batch = order.step(step);
    EXPECT_EQ(batch.items.size(), step < 4 ? 5U : 3U);
    EXPECT_EQ(batch.drawn_positives, 0);
    seen.insert(seen.end(), batch.items.begin(), batch.items.end());
  }
  EXPECT_TRUE(order.step(5).items.empty());
  EXPECT_NE(seen, numbers(23));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, numbers(23));
  EXPECT_NE(order.step(0).items, BatchOrder(numbers(23), {}, {}, 5, 1, 4).step(0).items);
  EXPECT_NE(order.step(0).items, BatchOrder(numbers(23), {}, {}, 5, 2, 3).step(0).items);
}

TEST(BatchOrder, BlocksStayTogether) {
  const BatchOrder order(numbers(24), {}, {}, 8, 1, 3, {}, 4);
  std::vector<std::int64_t> seen;
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto items = order.step(step).items;
    for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i], items[i / 4 * 4] + static_cast<int>(i % 4));
    seen.insert(seen.end(), items.begin(), items.end());
  }
  EXPECT_NE(seen, numbers(24));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, numbers(24));
}

TEST(BatchOrder, AnnotatedItemsComeRoundBesideAllOthers) {
  const std::vector<std::int64_t> annotated{2, 3, 5, 7, 11, 13, 17};
  const BatchPlan plan{3, 4};
  const BatchOrder order(numbers(20), annotated, plan, 100, 1, 0);
  EXPECT_EQ(BatchOrder::steps(20, plan, 100), 5);
  std::map<std::int64_t, int> drawn;
  std::vector<std::int64_t> rest;
  for (std::int64_t step = 0; step < 5; ++step) {
    const auto batch = order.step(step);
    ASSERT_EQ(batch.drawn_positives, 3);
    ASSERT_EQ(batch.items.size(), 7U);
    for (std::size_t i = 0; i < 3; ++i) ++drawn[batch.items[i]];
    rest.insert(rest.end(), batch.items.begin() + 3, batch.items.end());
    // Any step alone, as after an interruption.
    EXPECT_EQ(BatchOrder(numbers(20), annotated, plan, 100, 1, 0).step(step).items, batch.items);
  }
  ASSERT_EQ(drawn.size(), annotated.size());  // 15 draws of 7 items: two or three of each
  for (const auto& [item, count] : drawn) EXPECT_TRUE(count == 2 || count == 3) << item;
  std::sort(rest.begin(), rest.end());
  EXPECT_EQ(rest, numbers(20));
}

TEST(BatchOrder, WithoutAnnotationsOnlyTheRest) {
  const auto batch = BatchOrder(numbers(4), {}, {3, 2}, 100, 1, 0).step(0);
  EXPECT_EQ(batch.drawn_positives, 0);
  EXPECT_EQ(batch.items.size(), 2U);
}

TEST(Composition, IsReadFromTheOptions) {
  const auto plan = [](const char* text, const char* loss = "nnpu") {
    return parse_composition(tiny::options({{"composition", text}}), find_loss(loss));
  };
  EXPECT_EQ(plan("joint").positives, 0);
  EXPECT_EQ(plan("joint", "bce").positives, 0);
  EXPECT_EQ(plan("10:500").positives, 10);
  EXPECT_EQ(plan("10:500").unlabelled, 500);
  EXPECT_EQ(plan("10:batch").unlabelled, 0);
  for (const char* bad : {"", "10", ":", "10:", ":500", "0:500", "10:0", "-1:5", "a:b", "10:500:1", "1.5:2"}) {
    EXPECT_THROW(plan(bad), UsageError) << bad;
  }
  EXPECT_THROW(plan("10:500", "bce"), UsageError) << "it would take the drawn positives for the usual ones";
}

TEST(Composition, ReachesTheLossInEveryFold) {
  for (const char* folds : {"1", "3"}) {
    const tiny::Settings settings{{"method", "imbalanced-nnpu"}, {"ratio", "0.5"}, {"folds", folds}};
    auto joint = settings;
    joint.emplace_back("composition", "joint");
    EXPECT_FALSE(tiny::equal(tiny::run(settings).weights, tiny::run(joint).weights)) << folds;
  }
  // As pre-training the others' batches stay what they are.
  const auto run = tiny::run({{"ratio", "0.5"}, {"pretrain", "imbalanced-nnpu"}, {"composition", "4:batch"}});
  EXPECT_TRUE(tiny::finite(run.weights));
}

}  // namespace

}  // namespace mlpac
