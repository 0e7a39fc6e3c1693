// The behaviour of MLPAC over epochs: when the critic learns, what it learns from, which w is used, who survives.
#include "methods/mlpac.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "methods/candidates.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

using tiny::equal;
using tiny::Run;
using tiny::Settings;

/// One policy and rates that do not depend on the number of epochs, so that runs of different length can be compared.
Settings steady(Settings more = {}) {
  more.insert(more.begin(), {{"ratio", "0.5"}, {"schedule", "constant"}, {"w", "1"}, {"smooth", "1"}});
  return more;
}

Run complete(Settings more = {}) {
  more.insert(more.begin(), {"ratio", "0.5"});
  return tiny::run(more);
}

std::vector<std::size_t> candidate_counts(const Run& run) {
  std::vector<std::size_t> counts;
  for (const auto& line : run.phase("mlpac")) counts.push_back(line.at("candidates").size());
  return counts;
}

std::vector<double> probabilities(const Run& run) {
  const auto predicted = run.report.model->predict(tiny::data(1)).probabilities;
  return {predicted.begin(), predicted.end()};
}

double distance(const Run& a, const Run& b) {
  const auto p = probabilities(a);
  const auto q = probabilities(b);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(p[i] - q[i]) / static_cast<double>(p.size());
  return sum;
}

TEST(MlpacCritic, IsFrozenAfterItsEpochs) {
  const auto shorter = tiny::run(steady({{"critic-epochs", "2"}, {"epochs", "2"}}));
  const auto longer = tiny::run(steady({{"critic-epochs", "2"}, {"epochs", "5"}}));
  EXPECT_TRUE(equal(shorter.critic, longer.critic));
  EXPECT_EQ(tiny::values(longer.phase("mlpac"), "critic_loss").size(), 2U);
  EXPECT_EQ(tiny::values(longer.phase("mlpac"), "policy_loss").size(), 5U);
  EXPECT_FALSE(equal(longer.critic, tiny::run(steady({{"critic-epochs", "3"}, {"epochs", "5"}})).critic));
}

TEST(MlpacCritic, WithoutEpochsItStaysAsPretrained) {
  const auto run = tiny::run(steady({{"critic-epochs", "0"}, {"pretrain", "negative"}, {"pretrain-epochs", "4"}}));
  // Pre-training is the method itself with the same seed, so the same network comes out of it.
  const auto pretrained = tiny::run(steady({{"method", "negative"}, {"epochs", "4"}, {"patience", "4"}}));
  EXPECT_TRUE(equal(run.critic, pretrained.weights));
  EXPECT_TRUE(tiny::values(run.metrics, "critic_loss").empty());
  EXPECT_TRUE(tiny::values(run.metrics, "enhanced").empty());  // nobody would use the labels
}

TEST(MlpacCritic, PatienceFreezesIt) {
  const auto run =
      tiny::run(steady({{"critic-epochs", "12"}, {"epochs", "12"}, {"critic-patience", "1"}, {"critic-lr", "0.1"}}));
  const auto scores = tiny::values(run.phase("mlpac"), "critic_score");
  ASSERT_LT(scores.size(), 12U) << "twelve epochs of improvement in a row are not expected";
  EXPECT_EQ(tiny::values(run.phase("mlpac"), "critic_loss").size(), scores.size());
  // It stopped at the first epoch that was not better than all before, and only there.
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool better = i == 0 || scores[i] > *std::max_element(scores.begin(), scores.begin() + static_cast<long>(i));
    EXPECT_EQ(better, i + 1 < scores.size()) << i;
  }
}

TEST(MlpacCritic, NegativeRateIsUsed) {
  const auto all = tiny::run(steady());
  EXPECT_FALSE(equal(all.critic, tiny::run(steady({{"critic-negative-rate", "0.3"}})).critic));
}

TEST(MlpacStart, PretrainingCanBeSkippedOrReplaced) {
  EXPECT_TRUE(complete({{"pretrain", "none"}}).phase("pretrain").empty());
  EXPECT_TRUE(complete({{"pretrain-epochs", "0"}}).phase("pretrain").empty());
  EXPECT_EQ(complete({{"pretrain", "pos-weight"}}).phase("pretrain").size(), 2U);
}

TEST(MlpacStart, InitialWeightsReplacePretraining) {
  const tiny::Folder folder;
  train(tiny::options(steady({{"method", "negative"}, {"out", folder.path().string()}})), tiny::data(), nullptr);
  const auto initial = load_state(folder.path() / "model.safetensors").tensors;
  const auto run = tiny::run(steady({{"init", folder.path().string()}, {"critic-epochs", "0"}, {"lr", "0"}}));
  EXPECT_TRUE(run.phase("pretrain").empty());
  EXPECT_TRUE(equal(run.critic, initial));
  EXPECT_TRUE(equal(run.weights, initial));  // nothing learns at rate 0
}

TEST(MlpacEnhancement, OffLeavesNoTrace) {
  const auto off = tiny::run(steady({{"enhance", "off"}}));
  EXPECT_TRUE(tiny::values(off.metrics, "enhanced").empty());
  // With a threshold that nothing exceeds the critic learns the same.
  const auto never = tiny::run(steady({{"gamma-policy", "1"}}));
  for (const double count : tiny::values(never.metrics, "enhanced")) EXPECT_EQ(count, 0);
  EXPECT_TRUE(equal(off.critic, never.critic));
  EXPECT_TRUE(equal(off.weights, never.weights));
}

TEST(MlpacEnhancement, ProposalsReachTheCriticAfterTheFirstEpoch) {
  const Settings often{{"gamma-policy", "0.3"}, {"gamma-critic", "0.3"}, {"critic-epochs", "3"}, {"w", "5"}};
  auto without = often;
  without.emplace_back("enhance", "off");
  const auto on = tiny::run(steady(often));
  const auto off = tiny::run(steady(without));
  EXPECT_GT(tiny::values(on.metrics, "enhanced").front(), 0);
  const auto losses_on = tiny::values(on.phase("mlpac"), "critic_loss");
  const auto losses_off = tiny::values(off.phase("mlpac"), "critic_loss");
  EXPECT_EQ(losses_on[0], losses_off[0]);
  EXPECT_NE(losses_on[1], losses_off[1]);
}

TEST(MlpacEnhancement, CumulativeProposalsOnlyGrow) {
  const Settings often{{"gamma-policy", "0.4"}, {"gamma-critic", "0.4"}, {"critic-epochs", "8"}, {"epochs", "8"}};
  auto growing = often;
  growing.emplace_back("cumulative", "true");
  const auto counts = tiny::values(tiny::run(steady(growing)).metrics, "enhanced");
  ASSERT_EQ(counts.size(), 8U);
  EXPECT_TRUE(std::is_sorted(counts.begin(), counts.end()));
  EXPECT_EQ(tiny::values(tiny::run(steady(often)).metrics, "enhanced").front(), counts.front());
}

TEST(EnhancedLabels, ReplaceOrExtend) {
  Batch batch;
  batch.rows = {2, 0};
  batch.y = torch::tensor({{1.0F, 0.0F, 0.0F}, {0.0F, -1.0F, 0.0F}});
  const auto first = torch::tensor({{1, 1, 0}, {0, 1, 1}}).to(at::kBool);
  const auto second = torch::tensor({{0, 0, 1}, {0, 0, 1}}).to(at::kBool);
  for (const bool cumulative : {false, true}) {
    EnhancedLabels labels(4);
    labels.propose(batch, first, cumulative);
    EXPECT_EQ(labels.count(), 2);  // annotated and known negative entries are no proposals
    EXPECT_TRUE(at::equal(labels.target(batch), torch::tensor({{1.0F, 1.0F, 0.0F}, {0.0F, -1.0F, 1.0F}})));
    labels.propose(batch, second, cumulative);
    EXPECT_EQ(labels.count(), cumulative ? 3 : 2);
    EXPECT_EQ(labels.target(batch)[0][1].item<float>(), cumulative ? 1 : 0);
    Labels truth(3);
    truth.append({{2, kAnnotated}});
    for (int i = 0; i < 3; ++i) truth.append({});
    EXPECT_NEAR(labels.precision(truth), cumulative ? 100.0 / 3 : 50, 1e-9);
    State state;
    labels.save(state, "enhanced");
    EnhancedLabels loaded(4);
    loaded.load(state, "enhanced");
    EXPECT_TRUE(at::equal(loaded.target(batch), labels.target(batch)));
  }
  EXPECT_EQ(batch.y[0][1].item<float>(), 0);  // the annotations themselves are never touched
}

TEST(MlpacEnhancement, TeacherProposesInEachBatch) {
  const Settings often{{"gamma-policy", "0.3"}, {"gamma-critic", "0.3"}, {"critic-epochs", "3"}};
  auto teacher = often;
  teacher.emplace_back("enhance", "batch-teacher");
  auto off = often;
  off.emplace_back("enhance", "off");
  const auto run = tiny::run(steady(teacher));
  EXPECT_TRUE(tiny::finite(run.weights));
  EXPECT_FALSE(equal(run.critic, tiny::run(steady(off)).critic));
  EXPECT_FALSE(equal(run.critic, tiny::run(steady(often)).critic));
}

TEST(MlpacWeight, AutomaticControlChoosesAmongItsCandidates) {
  const auto run = complete({{"candidates", "8"}, {"epochs", "10"}});
  const auto counts = candidate_counts(run);
  ASSERT_EQ(counts.size(), 10U);
  EXPECT_EQ(counts.front(), 8U);
  EXPECT_GE(counts.back(), 1U);
  EXPECT_LT(counts.back(), 8U);  // at w beyond all measure everything is predicted: that cannot keep up
  EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));  // who was given up does not come back
  const auto first = run.phase("mlpac").front().at("candidates");
  std::vector<double> weights;
  for (const auto& candidate : first) weights.push_back(candidate.at("w").get<double>());
  ASSERT_EQ(weights.size(), 8U);
  for (std::size_t i = 1; i < weights.size(); ++i) EXPECT_DOUBLE_EQ(weights[i], 2 * weights[i - 1]);
  const double chosen = run.report.result.at("selection").at("w").get<double>();
  EXPECT_NE(std::find(weights.begin(), weights.end(), chosen), weights.end());
  for (const double w : tiny::values(run.phase("mlpac"), "w")) {
    EXPECT_NE(std::find(weights.begin(), weights.end(), w), weights.end());
  }
}

TEST(MlpacWeight, OnlyNeighboursOfTheLeaderAreTrainedToTheEnd) {
  const auto run = complete({{"candidates", "8"}, {"epochs", "12"}});
  const auto counts = candidate_counts(run);
  EXPECT_EQ(counts[0], 8U);
  EXPECT_EQ(counts[1], 8U);
  EXPECT_LE(counts[2], 5U);  // a sixth of the epochs: two to either side
  EXPECT_LE(counts[6], 3U);  // half of them: one
  EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));
}

TEST(MlpacWeight, CandidatesFarFromTheLeaderAreHopeless) {
  Clock clock;
  clock.epochs = 12;
  const std::vector<double> scores{1, 2, 3, 9, 3, 2, 1};
  EXPECT_TRUE(hopeless(scores, clock, 2).empty());  // one epoch says too little
  clock.epoch = 1;
  EXPECT_EQ(hopeless(scores, clock, 2), (std::vector<std::size_t>{0, 6}));
  clock.epoch = 5;
  EXPECT_EQ(hopeless(scores, clock, 2), (std::vector<std::size_t>{0, 1, 5, 6}));
  EXPECT_EQ(hopeless(scores, clock, 1), (std::vector<std::size_t>{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(hopeless(scores, clock, 0), (std::vector<std::size_t>{0, 1, 2, 4, 5, 6}));
  EXPECT_TRUE(hopeless(std::vector<double>{0, 0, 0, 0}, clock, 2).empty());  // nothing is known yet
  EXPECT_TRUE(hopeless(std::vector<double>{}, clock, 2).empty());
}

TEST(MlpacWeight, OneEpochIsEnoughToChoose) {
  const auto run = complete({{"epochs", "1"}});
  EXPECT_EQ(candidate_counts(run), (std::vector<std::size_t>{3}));
  EXPECT_FALSE(run.report.result.at("selection").at("w").is_null());
}

TEST(MlpacWeight, GivenPlansAppearInTheMetrics) {
  const auto weights = [](const char* w) {
    return tiny::values(tiny::run(steady({{"w", w}, {"epochs", "4"}})).phase("mlpac"), "w");
  };
  EXPECT_EQ(weights("2.5"), (std::vector<double>{2.5, 2.5, 2.5, 2.5}));
  EXPECT_EQ(weights("linear:4:2:0.5"), (std::vector<double>{4, 3, 2, 2}));
  EXPECT_EQ(weights("list:3,1"), (std::vector<double>{3, 1, 1, 1}));
  EXPECT_EQ(weights("list:3,1:cyclic"), (std::vector<double>{3, 1, 3, 1}));
}

TEST(MlpacWeight, MoreWeightMeansMorePositives) {
  const auto mean = [](const tiny::Run& run) {
    const auto p = probabilities(run);
    return std::accumulate(p.begin(), p.end(), 0.0) / static_cast<double>(p.size());
  };
  const Settings last{{"selection", "last"}, {"epochs", "8"}};
  auto high = last;
  high.emplace_back("w", "20");
  auto low = last;
  low.emplace_back("w", "0");
  EXPECT_GT(mean(tiny::run(steady(high))), mean(tiny::run(steady(low))) + 0.1);
}

TEST(MlpacWeight, NothingToWeighWithoutAGlobalReward) {
  const auto run = complete({{"global", "none"}});
  for (const double w : tiny::values(run.phase("mlpac"), "w")) EXPECT_EQ(w, 0);
}

TEST(MlpacEstimator, ReinforceApproachesTheExactExpectation) {
  const Settings base{{"selection", "last"}, {"epochs", "3"}, {"mix", "off"}};
  const auto with = [&](Settings more) {
    more.insert(more.end(), base.begin(), base.end());
    return tiny::run(steady(more));
  };
  const auto exact = with({});
  const auto many = with({{"estimator", "reinforce"}, {"samples", "1000"}});
  const auto few = with({{"estimator", "reinforce"}, {"samples", "1"}});
  EXPECT_LT(distance(exact, many), 0.02);
  EXPECT_LT(distance(exact, many), 0.5 * distance(exact, few));
}

TEST(MlpacEstimator, SwitchesChangeTheResultAndStayFinite) {
  const auto base = tiny::run(steady());
  for (const Settings& change : std::vector<Settings>{{{"mask", "sampled"}},
                                                      {{"greedy-weight", "0.1"}},
                                                      {{"entropy", "0.3"}},
                                                      {{"normalisation", "docre-count"}},
                                                      {{"normalisation", "image-means"}},
                                                      {{"normalisation", "none"}},
                                                      {{"global", "recall-plus-negative"}},
                                                      {{"reduction", "sum"}, {"optimizer", "adam"}, {"eps", "1"}},
                                                      {{"estimator", "reinforce"}, {"samples", "3"}}}) {
    SCOPED_TRACE(change.front().first + " " + change.front().second);
    const auto run = tiny::run(steady(change));
    EXPECT_TRUE(tiny::finite(run.weights));
    EXPECT_FALSE(equal(base.weights, run.weights));
  }
}

}  // namespace

}  // namespace mlpac
