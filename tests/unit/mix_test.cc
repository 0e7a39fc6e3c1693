// What predicts: the policy, the model it began with, the critic, or a mean.
#include <gtest/gtest.h>

#include "nn/committee.h"
#include "training_bench.h"

namespace mlpac {
namespace {

using tiny::Bench;
using tiny::Cut;
using tiny::Settings;

/// At a rate of 0 the policy stays what it began with, at a large one it forgets everything.
Settings mixed(const char* mix, const char* rate, Settings more = {}) {
  Settings settings{{"ratio", "0.5"}, {"folds", "3"}, {"members", "1"}, {"pretrain-epochs", "12"}, {"epochs", "3"},
                    {"w", "1"},       {"mix", mix},   {"lr", rate},     {"threshold", "auto"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::string chosen(const tiny::Run& run) { return run.report.result.at("selection").at("mix").get<std::string>(); }

/// What the run says that predicts, from the weights of its parts.
Weights composed(const tiny::Run& run, const Weights& policy, const Weights& pretrained) {
  std::vector<Weights> parts;
  const auto name = '+' + chosen(run);
  if (name.find("+policy") != std::string::npos) parts.push_back(policy);
  if (name.find("+pretrained") != std::string::npos) parts.push_back(pretrained);
  if (name.find("+critic") != std::string::npos) parts.push_back(run.critic);
  return parts.size() == 1 ? parts.front() : committee_weights(parts);
}

TEST(Mix, APolicyThatDidNotMoveStays) {
  const auto run = tiny::run(mixed("pretrained", "0"));
  EXPECT_EQ(chosen(run), "policy");
  EXPECT_TRUE(tiny::equal(run.weights, tiny::run(mixed("off", "0")).weights));
}

TEST(Mix, ThePretrainedModelHelpsAPolicyThatForgot) {
  const auto policy = tiny::run(mixed("off", "3"));
  const auto run = tiny::run(mixed("pretrained", "3"));
  const auto pretrained = tiny::run(mixed("off", "0"));
  ASSERT_NE(chosen(run), "policy");
  EXPECT_TRUE(tiny::equal(run.weights, composed(run, policy.weights, pretrained.weights)));
}

/// The model that all begin with has learned next to nothing, and the policy stays what it is.
void expect_help_of_critic(Settings settings) {
  const Settings worse{{"pretrain-epochs", "1"}, {"pretrain-lr", "1e-9"}, {"epochs", "12"}, {"critic-epochs", "12"}};
  settings.insert(settings.end(), worse.begin(), worse.end());
  const auto run = tiny::run(mixed("all", "0", settings));
  EXPECT_NE(chosen(run).find("critic"), std::string::npos) << chosen(run);
  const auto policy = tiny::run(mixed("off", "0", settings));
  EXPECT_TRUE(tiny::equal(run.weights, composed(run, policy.weights, policy.weights)));
}

TEST(Mix, ACriticHelpsWhereBothOthersAreBad) { expect_help_of_critic({{"folds", "1"}}); }

TEST(Mix, ACriticOnAllRowsHelpsWhatFoldsHaveChosen) { expect_help_of_critic({{"folds", "3"}}); }

TEST(Mix, AnAveragedCriticIsTheOneThatPredicts) { expect_help_of_critic({{"folds", "1"}, {"ema", "0.9"}}); }

TEST(Mix, EveryMemberOfACommitteeIsMixed) {
  const auto one = tiny::run(mixed("pretrained", "3"));
  const auto two = tiny::run(mixed("pretrained", "3", {{"members", "2"}}));
  EXPECT_EQ(chosen(two), chosen(one));
  EXPECT_EQ(two.weights.size(), 2 * one.weights.size());
  const auto first = chosen(one) == "policy+pretrained" ? member_weights(one.weights, 0) : one.weights;
  EXPECT_TRUE(tiny::equal(member_weights(two.weights, 0), first));
}

TEST(Mix, NothingIsMixedWithoutPretraining) {
  EXPECT_EQ(chosen(tiny::run(mixed("all", "0.01", {{"pretrain", "none"}}))), "policy");
  EXPECT_EQ(chosen(tiny::run(mixed("pretrained", "0.01", {{"pretrain", "none"}}))), "policy");
}

TEST(Mix, AGivenThresholdIsOneOfThePolicy) {
  const Settings given{{"threshold", "0.5"}};
  EXPECT_EQ(chosen(tiny::run(mixed("pretrained", "3", given))), "policy");
  EXPECT_TRUE(tiny::run(mixed("off", "3")).report.result.at("selection").at("mix").is_null());
}

class MixResumes : public testing::TestWithParam<const char*> {};

TEST_P(MixResumes, Exactly) {
  const auto settings = mixed(GetParam(), "3", {{"members", "2"}});
  const auto whole = Bench(settings).run(nullptr, false);
  EXPECT_NE(whole.mix, Mix());
  EXPECT_EQ(whole.rate.has_value(), std::string_view(GetParam()) == "pretrained");
  for (const Cut& cut : {Cut{1, 1, 1}, Cut{2, 0, 2}, Cut{3, 0, 1}}) {
    SCOPED_TRACE(cut.phase);
    const auto resumed = tiny::stopped_and_resumed(settings, cut);
    EXPECT_TRUE(tiny::equal(resumed.weights, whole.weights));
    EXPECT_EQ(resumed.mix, whole.mix);
    EXPECT_EQ(resumed.rate, whole.rate);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MixResumes, testing::Values("pretrained", "all"));

}  // namespace
}  // namespace mlpac
