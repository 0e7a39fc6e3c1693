// The loop itself: what should not matter does not, and what was asked for is done.
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string>

#include "mlpac/error.h"
#include "mlpac/schedule.h"
#include "training_bench.h"

namespace mlpac {

namespace {

using tiny::Bench;
using tiny::Cut;
using tiny::equal;
using tiny::Settings;

TEST(Trainer, AFolderIsNotNeeded) {
  const auto written = tiny::run({{"ratio", "0.5"}});
  EXPECT_TRUE(equal(Bench({}).run(nullptr, false).weights, written.weights));
  Bench bench({});
  const StopSignals signals;
  bench.method->stop = Cut{0, 1, 0};
  EXPECT_EQ(bench.run(nullptr, false).signal, SIGTERM);
}

TEST(Trainer, AStopEndsWithTheJobItWasMeantFor) {
  {
    const StopSignals signals;
    std::raise(SIGTERM);
    EXPECT_EQ(StopSignals::received(), SIGTERM);
  }
  EXPECT_EQ(StopSignals::received(), 0);
  EXPECT_EQ(Bench({}).run(nullptr, false).signal, 0);
}

TEST(Trainer, SizeOfEvaluationBatchesDoesNotMatter) {
  Bench small({});
  small.spec.sweep.batch = 7;
  const auto a = small.run(nullptr, false);
  const auto b = Bench({}).run(nullptr, false);
  EXPECT_TRUE(equal(a.weights, b.weights));
  EXPECT_EQ(a.score, b.score);
}

TEST(Trainer, AStepInPartsIsTheSameStep) {
  // The loss is a mean over rows and the network knows no batch statistics, so only rounding differs.
  const Settings settings{{"method", "negative"}, {"optimizer", "adam"}, {"eps", "0.01"}};
  const auto whole = Bench(settings).run(nullptr, false);
  for (const char* parts : {"2", "5"}) {
    auto split = settings;
    split.emplace_back("accumulate", parts);
    const auto outcome = Bench(split).run(nullptr, false);
    EXPECT_EQ(outcome.epoch, whole.epoch);
    for (const auto& [name, tensor] : whole.weights) {
      EXPECT_TRUE(at::allclose(outcome.weights.at(name), tensor, 1e-4, 1e-5)) << name << " in " << parts;
    }
  }
}

TEST(Trainer, PartsShareTheRowsDrawnForTheirAnnotations) {
  const BatchOrder::Step whole{{10, 11, 12, 3, 4, 5, 6, 7}, 3};
  std::vector<std::int64_t> all;
  for (std::int64_t p = 0; p < 3; ++p) {
    const auto part = whole.part(p, 3);
    EXPECT_EQ(part.drawn_positives, 1);
    EXPECT_GE(part.items.front(), 10);
    all.insert(all.end(), part.items.begin(), part.items.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<std::int64_t>{3, 4, 5, 6, 7, 10, 11, 12}));
  EXPECT_TRUE(whole.part(8, 9).items.empty());
}

TEST(Trainer, DivergenceIsAnError) {
  Bench bench({});
  bench.method->spoil = Cut{0, 1, 1};
  try {
    bench.run(nullptr, false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("diverged"), std::string::npos) << error.what();
  }
}

TEST(Trainer, NeedsRowsToTrainAndToSelectOn) {
  Bench bench({});
  bench.problem.folds.front().validation.clear();
  EXPECT_THROW(bench.run(nullptr, false), Error);
  bench.spec.rule = SelectionRule::last;
  EXPECT_EQ(bench.run(nullptr, false).signal, 0);
  bench.problem.folds.front().train.clear();
  EXPECT_THROW(bench.run(nullptr, false), Error);
}

TEST(Trainer, EveryRowIsVisitedOncePerEpoch) {
  Bench bench({{"method", "negative"}, {"epochs", "3"}, {"batch", "50"}});
  bench.run(nullptr, false);
  EXPECT_EQ(bench.method->objectives, 3 * 4);  // 160 rows: three full batches and a rest
}

/// The best of `scores` is exactly `patience` epochs back, and no stretch before was that long.
void expect_stopped(const std::vector<double>& scores, std::size_t patience) {
  ASSERT_LT(scores.size(), 60U) << "sixty epochs without a setback are not expected at this learning rate";
  ASSERT_GT(scores.size(), patience);
  std::size_t best = 0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (scores[i] > scores[best] || scores[best] <= 0) best = i;  // a tie is no progress, 0 says nothing
    if (i + 1 < scores.size()) {
      EXPECT_LT(i - best, patience);
    }
  }
  EXPECT_EQ(scores.size() - 1 - best, patience);
}

TEST(Trainer, PatienceStopsTrainingAndPretraining) {
  const auto plain = tiny::run({{"ratio", "0.5"},
                                {"method", "negative"},
                                {"epochs", "60"},
                                {"patience", "3"},
                                {"lr", "0.1"},
                                {"smooth", "1"},
                                {"selection", "lee-liu"}});
  expect_stopped(tiny::values(plain.metrics, "score"), 3);
  EXPECT_GE(plain.report.result.at("selection").at("epoch"), plain.metrics.size() - 3);  // of equals, the latest
  const auto pretraining = tiny::run({{"ratio", "0.5"},
                                      {"pretrain-epochs", "60"},
                                      {"pretrain-patience", "2"},
                                      {"pretrain-lr", "0.1"},
                                      {"w", "1"},
                                      {"selection", "lee-liu"},
                                      {"smooth", "1"}});
  expect_stopped(tiny::values(pretraining.phase("pretrain"), "score"), 2);
  EXPECT_EQ(pretraining.phase("mlpac").size(), 3U);
}

TEST(Trainer, AverageOfWeightsIsUsedWhenAskedFor) {
  const Settings base{{"ratio", "0.5"}, {"method", "negative"}, {"selection", "last"}};
  auto averaged = base;
  averaged.emplace_back("ema", "0.9");
  const auto plain = tiny::run(base);
  const auto ema = tiny::run(averaged);
  EXPECT_FALSE(equal(plain.weights, ema.weights));
  // It moves with the weights: a short memory stays close to them, a long one behind.
  const auto distance = [&](const char* decay) {
    auto settings = base;
    settings.emplace_back("ema", decay);
    return (tiny::run(settings).weights.at("layer0.weight") - plain.weights.at("layer0.weight")).norm().item<double>();
  };
  EXPECT_LT(distance("0.01"), 0.1 * distance("0.9"));
  EXPECT_LT(distance("0.5"), 0.95 * distance("0.9999"));
  // The average does not feed back into training.
  EXPECT_EQ(tiny::values(plain.metrics, "loss"), tiny::values(ema.metrics, "loss"));
}

TEST(Trainer, EverySelectionRuleRuns) {
  const auto data = tiny::data();
  const auto test = tiny::data(1);
  for (const auto& rule : selection_rules()) {
    SCOPED_TRACE(rule.name);
    const auto run = tiny::run(
        {{"ratio", "0.5"}, {"selection", std::string(rule.name)}, {"epochs", "4"}, {"threshold", "auto"}}, data, &test);
    const auto& selection = run.report.result.at("selection");
    EXPECT_EQ(selection.at("rule"), rule.name);
    EXPECT_TRUE(std::isfinite(selection.at("score").get<double>()));
    if (rule.name == "last") {
      EXPECT_EQ(selection.at("epoch"), 4);
    }
  }
}

TEST(Trainer, OrderIsNotComparedWhereTheThresholdIsGiven) {
  EXPECT_THROW(tiny::run({{"selection", "break-even"}, {"threshold", "0.5"}}), UsageError);
}

TEST(Trainer, EveryScheduleRuns) {
  for (const auto& schedule : schedules()) {
    for (const char* critic_epochs : {"0", "2", "9"}) {
      SCOPED_TRACE(std::string(schedule.name) + " critic " + critic_epochs);
      const auto run = tiny::run({{"ratio", "0.5"},
                                  {"schedule", std::string(schedule.name)},
                                  {"warmup", "0.2"},
                                  {"w", "1"},
                                  {"critic-epochs", critic_epochs}});
      EXPECT_TRUE(tiny::finite(run.weights));
      for (const double factor : tiny::values(run.metrics, "lr_factor")) EXPECT_TRUE(factor >= 0 && factor <= 1);
    }
  }
}

TEST(Trainer, HalfPrecisionOnTheCpuIsFinite) {
  const auto plain = tiny::run({{"ratio", "0.5"}});
  for (const char* estimator : {"exact", "reinforce"}) {
    const auto run = tiny::run({{"ratio", "0.5"}, {"precision", "bf16"}, {"estimator", estimator}, {"samples", "5"}});
    EXPECT_TRUE(tiny::finite(run.weights));
    EXPECT_FALSE(equal(run.weights, plain.weights));
    for (const auto& [name, tensor] : run.weights) EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
    EXPECT_FALSE(Autocast::active(at::kCPU));  // it ends with the forward pass
  }
}

}  // namespace

}  // namespace mlpac
