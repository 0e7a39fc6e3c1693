// Choosing by several folds: rows are set aside in turn, evidence is pooled, the chosen model is trained on all rows.
#include "methods/cross_fit.h"

#include <gtest/gtest.h>

#include <csignal>

#include "training_bench.h"

namespace mlpac {
namespace {

using tiny::Bench;
using tiny::Cut;
using tiny::equal;
using tiny::Settings;

Settings folds(Settings more = {}) {
  Settings settings{{"ratio", "0.5"}, {"folds", "3"}, {"epochs", "4"}, {"pretrain-epochs", "3"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(CrossFit, PhasesOfTheFoldsThenTheSameOnAllRows) {
  const auto run = tiny::run(folds());
  EXPECT_EQ(run.phase("pretrain").size(), 3U);
  EXPECT_EQ(run.phase("mlpac").size(), 4U);
  const auto& selection = run.report.result.at("selection");
  EXPECT_EQ(selection.at("folds"), 3);
  EXPECT_EQ(run.phase("final-mlpac").size(), selection.at("epoch").get<std::size_t>());
  EXPECT_GE(run.phase("final-pretrain").size(), 1U);
  EXPECT_LE(run.phase("final-pretrain").size(), 3U);
  for (const auto& line : run.phase("final-mlpac")) EXPECT_FALSE(line.contains("score"));  // no rows are set aside
  EXPECT_FALSE(run.critic.empty());
}

TEST(CrossFit, EveryRowIsSetAsideOnce) {
  Bench bench(folds({{"method", "pos-weight"}, {"epochs", "2"}, {"selection", "partial-f1"}}));
  std::int64_t rows = 0;
  for (const auto& split : bench.problem.folds) {
    rows += static_cast<std::int64_t>(split.validation.size());
    EXPECT_EQ(split.validation.size() + split.train.size(), 200U);
  }
  EXPECT_EQ(rows, 200);
  EXPECT_EQ(bench.run(nullptr, false).signal, 0);
}

TEST(CrossFit, ThreadsDoNotChangeTheResult) {
  auto one = Bench(folds());
  auto many = Bench(folds());
  many.spec.workers = 4;
  const auto a = one.run(nullptr, false);
  const auto b = many.run(nullptr, false);
  EXPECT_TRUE(equal(a.weights, b.weights));
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.w, b.w);
}

TEST(CrossFit, ResumesExactlyInEveryPhase) {
  const auto whole = Bench(folds({{"weight", "auto"}})).run(nullptr, false);
  for (const Cut& cut : {Cut{0, 1, 1}, Cut{1, 0, 0}, Cut{1, 2, 1}, Cut{2, 0, 2}, Cut{3, 0, 1}}) {
    SCOPED_TRACE(cut.phase);
    const tiny::Folder folder;
    Bench bench(folds({{"weight", "auto"}}));
    bench.method->stop = cut;
    {
      const StopSignals signals;
      if (bench.run(&folder.path(), false).signal == 0) continue;  // the phase was shorter than that
    }
    bench.restart();
    const auto resumed = bench.run(&folder.path(), true);
    EXPECT_TRUE(equal(resumed.weights, whole.weights));
    EXPECT_EQ(resumed.score, whole.score);
    EXPECT_EQ(resumed.w, whole.w);
    EXPECT_EQ(resumed.epoch, whole.epoch);
  }
}

TEST(CrossFit, TheFewerAnnotationsAndRowsTheMoreFolds) {
  const auto chosen = [](std::int64_t rows, const char* ratio) {
    const auto settings = folds({{"folds", "0"}, {"ratio", ratio}, {"epochs", "1"}, {"pretrain-epochs", "1"}});
    return tiny::run(settings, tiny::data(0, rows)).report.result.at("selection").at("folds").get<int>();
  };
  EXPECT_EQ(chosen(200, "0.5"), 10);  // 150 annotations
  EXPECT_EQ(chosen(1200, "0.1"), 5);  // 180
  EXPECT_EQ(chosen(1200, "0.5"), 3);  // 900, of which a slice would hold 180
}

TEST(CrossFit, OneSliceIsEnoughToChooseButAllRowsAreTrainedOn) {
  const auto settings = folds({{"folds", "0"}, {"validation", "0.5"}, {"ratio", "1"}});
  const auto many = tiny::run(settings, tiny::data(0, 800));  // half of the rows hold hundreds of annotations
  EXPECT_EQ(many.report.result.at("selection").at("folds"), 1);
  EXPECT_GE(many.phase("final-pretrain").size(), 1U);
  EXPECT_GE(many.phase("final-mlpac").size(), 1U);
}

TEST(CrossFit, PretrainingComparesWeights) {
  const auto run = tiny::run(folds({{"pretrain-candidates", "3"}}));
  EXPECT_EQ(run.phase("pretrain").front().at("candidates").size(), 3U);
  EXPECT_FALSE(run.phase("final-pretrain").front().contains("candidates"));
  // From few rows as many as of w; of more rows one, where annotations are too few to compare.
  const auto automatic = folds({{"candidates", "4"}});
  EXPECT_EQ(tiny::run(automatic).phase("pretrain").front().at("candidates").size(), 4U);
  EXPECT_FALSE(tiny::run(automatic, tiny::data(0, 300)).phase("pretrain").front().contains("candidates"));
}

TEST(CrossFit, ThresholdsOfClassesSurviveAnInterruption) {
  const Settings settings = folds({{"threshold", "per-class"}});
  Bench reference(settings);
  reference.spec.class_curves = true;
  const auto whole = reference.run(nullptr, false);
  ASSERT_EQ(whole.class_curves.size(), static_cast<std::size_t>(reference.problem.annotated.classes()));
  ScoreCurve all;
  for (const auto& curve : whole.class_curves) all.add(curve);
  EXPECT_EQ(all.entries, whole.curve.entries);  // the same rows and the same model, class by class
  EXPECT_EQ(all.annotated, whole.curve.annotated);
  const tiny::Folder folder;
  Bench bench(settings);
  bench.spec.class_curves = true;
  bench.method->stop = Cut{2, 0, 1};
  {
    const StopSignals signals;
    ASSERT_NE(bench.run(&folder.path(), false).signal, 0);
  }
  bench.restart();
  const auto resumed = bench.run(&folder.path(), true);
  for (std::size_t c = 0; c < whole.class_curves.size(); ++c) {
    EXPECT_EQ(resumed.class_curves.at(c).entries, whole.class_curves[c].entries);
    EXPECT_EQ(resumed.class_curves.at(c).annotated, whole.class_curves[c].annotated);
  }
}

TEST(CrossFit, EstimatedLabelsGoOnInEveryFold) {
  const auto settings = folds({{"method", "role"}, {"linear-epochs", "2"}});
  const auto whole = Bench(settings).run(nullptr, false);
  for (const Cut& cut : {Cut{0, 1, 1}, Cut{1, 0, 0}, Cut{2, 0, 1}, Cut{3, 0, 2}}) {
    SCOPED_TRACE(cut.phase);
    const tiny::Folder folder;
    Bench bench(settings);
    bench.method->stop = cut;
    {
      const StopSignals signals;
      if (bench.run(&folder.path(), false).signal == 0) continue;  // the phase was shorter than that
    }
    bench.restart();
    EXPECT_TRUE(equal(bench.run(&folder.path(), true).weights, whole.weights));
  }
}

TEST(CrossFit, SimpleMethodsCanChooseTheirWeightToo) {
  for (const char* method : {"pos-weight", "neg-weight"}) {
    const auto run = tiny::run(folds({{"method", method}, {"weight", "auto"}}));
    const auto& selection = run.report.result.at("selection");
    EXPECT_GT(selection.at("w").get<double>(), 0);  // told although the last training has nothing to choose
    EXPECT_EQ(run.phase("train").front().at("candidates").size(), 3U);
    EXPECT_EQ(run.phase("final-train").size(), selection.at("epoch").get<std::size_t>());
  }
}

TEST(CrossFit, AChosenWeightSurvivesAnInterruption) {
  const auto settings = folds({{"method", "pos-weight"}, {"weight", "auto"}});
  const auto whole = Bench(settings).run(nullptr, false);
  ASSERT_TRUE(whole.w);
  const tiny::Folder folder;
  Bench bench(settings);
  bench.method->stop = Cut{1, 0, 1};
  {
    const StopSignals signals;
    ASSERT_NE(bench.run(&folder.path(), false).signal, 0);
  }
  bench.restart();
  EXPECT_EQ(bench.run(&folder.path(), true).w, whole.w);
}

TEST(CrossFit, OneNeighbourOfTheLeadingWeightGoesOnUnlessMoreAreAskedFor) {
  const auto scored = [](Settings more) {
    more.insert(more.end(), {{"epochs", "12"}, {"candidates", "8"}});
    std::vector<std::size_t> counts;
    for (const auto& line : tiny::run(folds(more)).phase("mlpac")) counts.push_back(line.at("candidates").size());
    return counts;
  };
  const auto usual = scored({});
  EXPECT_EQ(usual.front(), 8U);
  EXPECT_LE(usual[2], 3U);  // after a sixth of the epochs
  EXPECT_EQ(usual[6], 1U);  // after half of them
  EXPECT_GT(scored({{"reach", "3"}})[6], 1U);
}

TEST(KeepPretrained, ThePretrainedModelStaysWherePoliciesAreNoBetter) {
  // A policy that takes no steps is as good as what it began with, and no better.
  for (const char* count : {"1", "3"}) {
    Settings settings{{"ratio", "0.5"}, {"folds", count}, {"w", "1"}, {"lr", "0"}, {"smooth", "1"}};
    const auto later = tiny::run(settings).report.result.at("selection");
    EXPECT_GT(later.at("epoch"), 0);
    settings.emplace_back("keep-pretrained", "true");
    settings.emplace_back("settle", "1");  // no epoch of the policies may be selected
    const auto run = tiny::run(settings);
    EXPECT_EQ(run.report.result.at("selection").at("epoch"), 0);
    EXPECT_TRUE(run.phase("final-mlpac").empty());
    EXPECT_TRUE(tiny::finite(run.weights));
  }
}

}  // namespace
}  // namespace mlpac
