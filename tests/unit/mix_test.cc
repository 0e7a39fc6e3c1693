// What predicts: the policy, the model it began with, or both.
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

TEST(Mix, APolicyThatDidNotMoveStays) {
  const auto run = tiny::run(mixed("true", "0"));
  EXPECT_EQ(chosen(run), "policy");
  EXPECT_TRUE(tiny::equal(run.weights, tiny::run(mixed("false", "0")).weights));
}

TEST(Mix, ThePretrainedModelHelpsAPolicyThatForgot) {
  const auto policy = tiny::run(mixed("false", "3"));
  const auto run = tiny::run(mixed("true", "3"));
  const auto pretrained = tiny::run(mixed("false", "0"));
  ASSERT_NE(chosen(run), "policy");
  const std::array<Weights, 2> both{policy.weights, pretrained.weights};
  EXPECT_TRUE(tiny::equal(run.weights, chosen(run) == "both" ? committee_weights(both) : pretrained.weights));
}

TEST(Mix, EveryMemberOfACommitteeIsMixed) {
  const auto one = tiny::run(mixed("true", "3"));
  const auto two = tiny::run(mixed("true", "3", {{"members", "2"}}));
  EXPECT_EQ(chosen(two), chosen(one));
  EXPECT_EQ(two.weights.size(), 2 * one.weights.size());
  const auto first = chosen(one) == "both" ? member_weights(one.weights, 0) : one.weights;
  EXPECT_TRUE(tiny::equal(member_weights(two.weights, 0), first));
}

TEST(Mix, NothingIsMixedWithoutPretraining) {
  EXPECT_EQ(chosen(tiny::run(mixed("true", "0.01", {{"pretrain", "none"}}))), "policy");
}

TEST(Mix, AGivenThresholdIsOneOfThePolicy) {
  const Settings given{{"threshold", "0.5"}};
  EXPECT_EQ(chosen(tiny::run(mixed("true", "3", given))), "policy");
  EXPECT_TRUE(tiny::run(mixed("false", "3")).report.result.at("selection").at("mix").is_null());
}

TEST(Mix, ResumesExactly) {
  const auto settings = mixed("true", "3", {{"members", "2"}});
  const auto whole = Bench(settings).run(nullptr, false);
  EXPECT_NE(whole.mix, Mix::selected);
  ASSERT_TRUE(whole.rate);
  for (const Cut& cut : {Cut{1, 1, 1}, Cut{2, 0, 2}, Cut{3, 0, 1}}) {
    SCOPED_TRACE(cut.phase);
    const auto resumed = tiny::stopped_and_resumed(settings, cut);
    EXPECT_TRUE(tiny::equal(resumed.weights, whole.weights));
    EXPECT_EQ(resumed.mix, whole.mix);
    EXPECT_EQ(resumed.rate, whole.rate);
  }
}

}  // namespace
}  // namespace mlpac
