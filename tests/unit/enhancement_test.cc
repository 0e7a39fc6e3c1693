// Decisions and the rule that lets unknown entries become positive for the critic.
#include "mlpac/enhancement.h"

#include <gtest/gtest.h>

#include "mlpac/decision.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

at::Tensor logit(const std::vector<double>& probabilities) {
  return at::logit(at::tensor(probabilities, at::kDouble)).view({1, -1});
}

void expect_bits(const at::Tensor& actual, const std::vector<int>& expected) {
  EXPECT_EQ(actual.scalar_type(), at::kBool);
  EXPECT_TRUE(at::equal(actual.to(at::kInt).view(-1), at::tensor(expected, at::kInt))) << actual;
}

TEST(Enhancement, NeedsBothNetworks) {
  const auto policy = logit({0.96, 0.96, 0.94, 0.951, 0.5, 0.01});
  const auto critic = logit({0.51, 0.49, 0.99, 0.999, 0.9, 0.01});
  expect_bits(enhance(policy, critic, {}, {}), {1, 0, 0, 1, 0, 0});
  expect_bits(enhance(policy, critic, {}, {.gamma_policy = 0.8}), {1, 0, 1, 1, 0, 0});
  expect_bits(enhance(policy, critic, {}, {.gamma_policy = 0.8, .gamma_critic = 0.9}), {0, 0, 1, 1, 0, 0});
}

// Below one half the thresholds cannot overrule the decisions of the networks.
TEST(Enhancement, DecisionsStillCount) {
  expect_bits(enhance(logit({0.4, 0.6}), logit({0.9, 0.9}), {}, {.gamma_policy = 0.1, .gamma_critic = 0.1}), {0, 1});
  expect_bits(enhance(logit({0.9, 0.9}), logit({0.4, 0.6}), {}, {.gamma_policy = 0.1, .gamma_critic = 0.1}), {0, 1});
}

TEST(Enhancement, ThresholdClassAndCap) {
  const Decision decision{.threshold_class = true, .cap = 2};
  // l_0 = 0; three classes are above it, but only the two largest of all logits may be TRUE.
  const auto policy = at::tensor({0.0, 6.0, 5.0, 4.0, -1.0}, at::kDouble).view({1, 5});
  const auto critic = at::tensor({0.0, 1.0, 2.0, 3.0, -1.0}, at::kDouble).view({1, 5});
  expect_bits(enhance(policy, policy, decision, {}), {1, 1, 0, 0});
  expect_bits(enhance(policy, critic, decision, {}), {0, 1, 0, 0});
  expect_bits(enhance(policy, critic, {.threshold_class = true}, {}), {1, 1, 1, 0});
}

TEST(Decision, LogOdds) {
  const auto logits = at::tensor({1.0, 3.0, -2.0}, at::kDouble).view({1, 3});
  EXPECT_TRUE(at::equal(Decision{}.log_odds(logits), logits));
  const Decision relation{.threshold_class = true, .cap = 4};
  EXPECT_TRUE(at::equal(relation.log_odds(logits), at::tensor({2.0, -3.0}, at::kDouble).view({1, 2})));
}

TEST(Decision, Independent) {
  const auto logits = at::tensor({0.1, 0.0, -0.1}, at::kDouble).view({1, 3});
  expect_bits(Decision{}.decide(logits), {1, 0, 0});
  expect_bits(Decision{}.decide(logits, at::tensor({0.2, -1.0, -0.2}, at::kDouble)), {0, 1, 1});
}

TEST(Decision, CapKeepsTies) {
  const Decision decision{.threshold_class = true, .cap = 2};
  expect_bits(decision.decide(at::tensor({0.0, 3.0, 2.0, 2.0, 1.0}, at::kDouble).view({1, 5})), {1, 1, 1, 0});
  // The threshold class itself takes one of the places.
  expect_bits(decision.decide(at::tensor({2.5, 3.0, 2.0, 2.6, 1.0}, at::kDouble).view({1, 5})), {1, 0, 1, 0});
  // A tie with the threshold is FALSE.
  expect_bits(decision.decide(at::tensor({1.0, 1.0, 0.0}, at::kDouble).view({1, 3})), {0, 0});
  // A cap that is larger than the number of logits caps nothing.
  const Decision wide{.threshold_class = true, .cap = 50};
  expect_bits(wide.decide(at::tensor({0.0, 1.0, 2.0}, at::kDouble).view({1, 3})), {1, 1});
  // Shifted thresholds act on the log-odds, the cap on the logits.
  expect_bits(decision.decide(at::tensor({0.0, 3.0, 2.0, 1.0}, at::kDouble).view({1, 4}),
                              at::tensor({3.5, 0.0, 0.0}, at::kDouble)),
              {0, 1, 0});
}

}  // namespace

}  // namespace mlpac
