// Interruption at any step, in any phase, is invisible in the result; what does not belong together is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "mlpac/error.h"
#include "training_bench.h"

namespace mlpac {

namespace {

using tiny::Bench;
using tiny::Cut;
using tiny::equal;
using tiny::Settings;
using tiny::Weights;

struct Straight {
  Outcome outcome;
  Weights critic;
  std::vector<nlohmann::json> metrics;
};

Straight straight_run(const Settings& settings) {
  const tiny::Folder folder;
  const Bench bench(settings);
  Straight result;
  result.outcome = bench.run(&folder.path(), false);
  result.critic = bench.critic();
  result.metrics = tiny::read_metrics(folder.path());
  return result;
}

void expect_same(const Straight& expected, const Bench& bench, const Outcome& outcome, const tiny::Folder& folder) {
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_TRUE(equal(outcome.weights, expected.outcome.weights));
  EXPECT_TRUE(equal(bench.critic(), expected.critic));
  EXPECT_EQ(outcome.epoch, expected.outcome.epoch);
  EXPECT_EQ(outcome.score, expected.outcome.score);
  EXPECT_EQ(outcome.w, expected.outcome.w);
  EXPECT_EQ(tiny::read_metrics(folder.path()), expected.metrics);
}

struct ResumeCase {
  const char* name;
  Settings settings;
};

void PrintTo(const ResumeCase& item, std::ostream* out) { *out << item.name; }

class Resume : public ::testing::TestWithParam<ResumeCase> {};

TEST_P(Resume, AfterAnInterruptionAnywhereIsExact) {
  const auto expected = straight_run(GetParam().settings);
  // 5 steps an epoch, 2 epochs of pre-training: the first step, inside, the last of an epoch and of a phase, the end.
  std::vector<Cut> cuts{{0, 0, 0}, {0, 1, 2}, {0, 1, 4}};
  const auto phases = Bench(GetParam().settings).method->phases();
  for (std::size_t i = 1; i < phases.size(); ++i) {
    cuts.insert(cuts.end(), {{i, 0, 0}, {i, 1, 3}, {i, phases[i].epochs - 1, 4}});
  }
  for (const auto& cut : cuts) {
    SCOPED_TRACE("phase " + std::to_string(cut.phase) + " epoch " + std::to_string(cut.epoch) + " step " +
                 std::to_string(cut.step));
    const tiny::Folder folder;
    Bench bench(GetParam().settings);
    {
      const StopSignals signals;
      bench.method->stop = cut;
      EXPECT_EQ(bench.run(&folder.path(), false).signal, SIGTERM);
    }
    bench.restart();
    expect_same(expected, bench, bench.run(&folder.path(), true), folder);
  }
}

TEST_P(Resume, ManyTimesIsExact) {
  const auto expected = straight_run(GetParam().settings);
  const tiny::Folder folder;
  Bench bench(GetParam().settings);
  Outcome outcome;
  outcome.signal = 1;
  int stops = -1;
  for (std::int64_t at = 0; outcome.signal != 0; at += 3) {  // each time three steps further
    const StopSignals signals;
    ASSERT_LT(++stops, 30);
    Cut cut{0, at / 5, at % 5};
    for (const auto& phase : bench.method->phases()) {
      if (cut.epoch < phase.epochs) break;
      cut.epoch -= phase.epochs;
      ++cut.phase;
    }
    bench.method->stop = cut;
    outcome = bench.run(&folder.path(), true);
    if (outcome.signal != 0) bench.restart();
  }
  EXPECT_GE(stops, 5);
  expect_same(expected, bench, outcome, folder);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Resume,
    ::testing::Values(
        ResumeCase{"exact", {}},
        ResumeCase{"reinforce_teacher",
                   {{"estimator", "reinforce"},
                    {"samples", "3"},
                    {"enhance", "batch-teacher"},
                    {"greedy-weight", "0.1"},
                    {"critic-negative-rate", "0.5"}}},
        ResumeCase{"everything_on",
                   {{"dropout", "0.2"},
                    {"ema", "0.9"},
                    {"mask", "sampled"},
                    {"schedule", "one-cycle"},
                    {"weight-decay", "0.01"},
                    {"clip", "1"},
                    {"accumulate", "3"},
                    {"critic-patience", "1"},
                    {"cumulative", "true"}}},
        ResumeCase{"self_training", {{"method", "self-training"}, {"gamma", "0.4"}, {"epochs", "4"}}},
        ResumeCase{"role", {{"method", "role"}, {"epochs", "4"}}},
        ResumeCase{"role_linear",
                   {{"method", "role"}, {"linear-epochs", "2"}, {"ema", "0.9"}, {"weight-decay", "0.1"}}},
        ResumeCase{"p3m", {{"method", "p3m"}, {"epochs", "4"}}},
        ResumeCase{"p3m_rows",
                   {{"method", "p3m"}, {"epochs", "4"}, {"mixup", "rows"}, {"mixup-alpha", "0.4"}, {"network", "mlp"}}},
        ResumeCase{"neg_weight", {{"method", "neg-weight"}, {"epochs", "4"}}},
        ResumeCase{"csl_negative_model", {{"method", "csl"}, {"csl-prior", "negative-model"}, {"epochs", "3"}}},
        ResumeCase{"pretrained_by_two_phases",
                   {{"pretrain", "csl"}, {"csl-prior", "negative-model"}, {"pretrain-epochs", "2"}, {"epochs", "3"}}},
        ResumeCase{"composed_batches", {{"method", "nnpu"}, {"composition", "7:32"}, {"epochs", "4"}, {"ema", "0.9"}}},
        ResumeCase{"frozen_critic",
                   {{"epochs", "8"},
                    {"critic-epochs", "8"},
                    {"critic-patience", "1"},
                    {"critic-lr", "0.1"},
                    {"w", "1"},
                    {"smooth", "1"}}},
        ResumeCase{"waiting",
                   {{"method", "negative"}, {"epochs", "25"}, {"patience", "3"}, {"lr", "0.1"}, {"smooth", "1"}}}),
    [](const auto& item) { return std::string(item.param.name); });

/// Every method of the table, with its own options.
std::vector<ResumeCase> every_method() {
  std::vector<ResumeCase> cases;
  for (const auto& entry : methods()) {
    if (entry.name != "mlpac")
      cases.push_back({entry.name.data(), {{"method", std::string(entry.name)}, {"epochs", "4"}}});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Methods, Resume, ::testing::ValuesIn(every_method()), [](const auto& item) {
  std::string name(item.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Checkpoint, CheckpointsDoNotChangeTheResult) {
  const auto expected = straight_run({});
  const tiny::Folder folder;
  Bench bench({});
  bench.spec.checkpoint_seconds = 0;  // after every step
  expect_same(expected, bench, bench.run(&folder.path(), false), folder);
  // A process that died right after its last checkpoint: the same end once more.
  bench.restart();
  expect_same(expected, bench, bench.run(&folder.path(), true), folder);
}

TEST(Checkpoint, RefusesACheckpointOfOtherData) {
  const tiny::Folder folder;
  Bench bench({});
  {
    const StopSignals signals;
    bench.method->stop = Cut{0, 1, 1};
    bench.run(&folder.path(), false);
  }
  Bench other({}, 5);
  ASSERT_NE(other.problem.fingerprint, bench.problem.fingerprint);
  try {
    other.run(&folder.path(), true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("data files have changed"), std::string::npos) << error.what();
  }
  // A network of another shape does not fit either, and says so instead of starting from something else.
  EXPECT_THROW(Bench(Settings{{"widths", "9"}}).run(&folder.path(), true), Error);
  EXPECT_THROW(Bench(Settings{{"candidates", "4"}}).run(&folder.path(), true), Error);
}

TEST(TrainingRun, IsInterruptedByASignalFromOutsideAndResumed) {
  const auto data = tiny::data();
  const Settings settings{{"ratio", "0.5"}, {"epochs", "40"}, {"checkpoint-seconds", "1000"}};
  const auto expected = tiny::run(settings, data);
  const tiny::Folder folder;
  auto here = settings;
  here.emplace_back("out", folder.path().string());
  {
    const StopSignals signals;
    std::thread other([&] {
      while (!std::filesystem::exists(folder.path() / "metrics.jsonl")) std::this_thread::yield();
      ::kill(::getpid(), SIGTERM);
    });
    const auto report = train(tiny::options(here), data, nullptr);
    other.join();
    ASSERT_EQ(report.signal, SIGTERM);
    EXPECT_EQ(report.model, nullptr);
  }
  EXPECT_THROW(train(tiny::options(here), data, nullptr), Error);  // unfinished: neither lost nor continued unasked
  auto resumed = here;
  resumed.emplace_back("resume", "true");
  auto changed = resumed;
  changed.emplace_back("epochs", "41");
  EXPECT_THROW(train(tiny::options(changed), data, nullptr), Error);
  const auto run = tiny::read_run(folder.path(), train(tiny::options(resumed), data, nullptr));
  EXPECT_TRUE(equal(run.weights, expected.weights));
  EXPECT_TRUE(equal(run.critic, expected.critic));
  EXPECT_EQ(run.metrics, expected.metrics);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "checkpoint.safetensors"));

  // Now it is finished: another start is refused, a resumption has nothing left to do, --force starts over.
  EXPECT_THROW(train(tiny::options(here), data, nullptr), Error);
  const auto again = train(tiny::options(resumed), data, nullptr);
  EXPECT_EQ(again.result.at("selection"), run.report.result.at("selection"));
  auto forced = here;
  forced.emplace_back("force", "true");
  forced.emplace_back("seed", "2");
  EXPECT_FALSE(equal(tiny::read_run(folder.path(), train(tiny::options(forced), data, nullptr)).weights, run.weights));
}

TEST(RunFolder, IsLockedWhileInUse) {
  const tiny::Folder folder;
  const RunFolder first(folder.path());
  EXPECT_THROW(RunFolder second(folder.path()), Error);
}

}  // namespace

}  // namespace mlpac
