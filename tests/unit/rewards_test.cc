// Every switch of the reward changes what it says and nothing else; closed forms and operating points of the paper.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "enumeration.h"
#include "mlpac/error.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

using enumeration::draws;
using enumeration::row_of;

struct Batch {
  at::Tensor z, critic, y;
};

Batch make_batch() {
  Batch batch;
  batch.z = draws({4, 6}, "rewards.z", -2, 2);
  batch.critic = draws({4, 6}, "rewards.critic", -2, 2);
  batch.y = at::zeros({4, 6}, at::kDouble);
  batch.y[1][0] = 1;
  batch.y[2][1] = 1;
  batch.y[2][4] = 1;
  batch.y[3][2] = 1;
  batch.y[3][5] = -1;
  return batch;
}

at::Tensor exact_gradient(const Batch& batch, const RewardSpec& spec, double w) {
  const auto z = batch.z.detach().clone().requires_grad_();
  const auto mask = mask_probability(batch.y, spec);
  exact_objective(z, critic_value(batch.critic, batch.y), batch.y, mask, w, spec).loss.backward();
  return z.grad();
}

bool differ(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>() > 1e-6; }
bool same(const at::Tensor& a, const at::Tensor& b) { return at::allclose(a, b, 1e-10, 1e-13); }

RewardSpec with(const std::function<void(RewardSpec&)>& change) {
  RewardSpec spec;
  change(spec);
  return spec;
}

TEST(Rewards, EveryTermChangesTheGradient) {
  const auto batch = make_batch();
  const RewardSpec base;
  const auto gradient = exact_gradient(batch, base, 2);
  EXPECT_TRUE(differ(gradient, exact_gradient(batch, base, 3))) << "w";
  EXPECT_TRUE(differ(gradient, exact_gradient(batch, with([](auto& s) { s.local = false; }), 2))) << "local";
  EXPECT_TRUE(differ(gradient, exact_gradient(batch, with([](auto& s) { s.rho = 0.9; }), 2))) << "rho";
  for (const auto normalisation : {Normalisation::docre_count, Normalisation::image_means, Normalisation::none}) {
    EXPECT_TRUE(differ(gradient, exact_gradient(batch, with([&](auto& s) { s.normalisation = normalisation; }), 2)));
  }
  for (const auto global : {GlobalReward::precision, GlobalReward::f1, GlobalReward::recall_plus_negative,
                            GlobalReward::none, GlobalReward::batch_recall}) {
    EXPECT_TRUE(differ(gradient, exact_gradient(batch, with([&](auto& s) { s.global = global; }), 2)));
  }
  const auto plus = with([](auto& s) { s.global = GlobalReward::recall_plus_negative; });
  auto stronger = plus;
  stronger.negative_recall = 0.5;
  EXPECT_TRUE(differ(exact_gradient(batch, plus, 2), exact_gradient(batch, stronger, 2))) << "negative_recall";
  auto none = plus;
  none.negative_recall = 0;
  EXPECT_TRUE(same(exact_gradient(batch, none, 2), gradient)) << "without its second term it is recall";
}

TEST(Rewards, RecallOfTheBatchIsThatOfAllItsAnnotations) {
  const auto y = at::tensor({1., 0., 0., 0., 0., 0., 1., -1., 1.}, at::kDouble).view({3, 3});
  const auto actions = at::tensor({1., 1., 0., 0., 1., 0., 0., 0., 1.}, at::kDouble).view({3, 3});
  RewardSpec spec;
  spec.global = GlobalReward::batch_recall;
  EXPECT_DOUBLE_EQ(global_reward(actions, y, spec).mean().item<double>(), 2.0 / 3);
  EXPECT_EQ(global_reward(actions, at::zeros_like(y), spec).abs().sum().item<double>(), 0);
  // One class: the recall of a row with w times rows / annotated rows.
  const auto column = [](const at::Tensor& x) { return x.reshape({-1, 1}); };
  const auto pi = at::sigmoid(actions * 3 - 1);
  EXPECT_TRUE(at::allclose(global_reward(column(pi), column(y), spec), 3 * global_reward(column(pi), column(y), {})));
}

TEST(Rewards, TwoEntriesHalveTheLocalReward) {
  const auto batch = make_batch();
  const auto one = with([](auto& s) { s.entries = 1; });
  const auto two = with([](auto& s) { s.entries = 2; });
  EXPECT_TRUE(same(exact_gradient(batch, one, 4), 2 * exact_gradient(batch, two, 2)));
}

// With a linear reward the log-probability mask changes nothing on average (algorithm.md 10.1); with one that couples
// classes it does.
TEST(Rewards, MaskedLogProbabilityMattersForCoupledRewardsOnly) {
  const auto batch = make_batch();
  for (const auto normalisation : {Normalisation::paper_mean, Normalisation::none, Normalisation::docre_count}) {
    auto spec = with([&](auto& s) { s.normalisation = normalisation; });
    const auto masked = exact_gradient(batch, spec, 2);
    spec.mask_logprob = false;
    const bool coupled = normalisation == Normalisation::docre_count;
    EXPECT_EQ(differ(masked, exact_gradient(batch, spec, 2)), coupled);
  }
  auto precision = with([](auto& s) { s.global = GlobalReward::precision; });
  const auto masked = exact_gradient(batch, precision, 2);
  precision.mask_logprob = false;
  EXPECT_TRUE(differ(masked, exact_gradient(batch, precision, 2)));
}

TEST(Rewards, PartsAddUp) {
  const auto batch = make_batch();
  for (auto spec : enumeration::all_specs()) {
    SCOPED_TRACE(enumeration::describe(spec));
    spec.local = true;
    const auto both = exact_gradient(batch, spec, 2);
    auto global_only = spec;
    global_only.local = false;
    auto local_only = spec;
    local_only.global = GlobalReward::none;
    EXPECT_TRUE(same(both, exact_gradient(batch, global_only, 2) + exact_gradient(batch, local_only, 2)));
    EXPECT_TRUE(same(exact_gradient(batch, local_only, 2), exact_gradient(batch, local_only, 7))) << "w is global";
    if (HasFailure()) return;
  }
}

TEST(Rewards, FullSamplingRatioIsNoSampling) {
  const auto batch = make_batch();
  for (auto spec : enumeration::all_specs()) {
    spec.rho = 1;
    EXPECT_TRUE(mask_probability(batch.y, spec).eq(1).all().item<bool>());
    EXPECT_TRUE(sample_mask(batch.y, draws({7, 4, 6}, "rho"), spec).eq(1).all().item<bool>());
    auto unmasked = spec;
    unmasked.mask_logprob = !spec.mask_logprob;  // without a mask this switch has nothing to act on
    EXPECT_TRUE(same(exact_gradient(batch, spec, 2), exact_gradient(batch, unmasked, 2)));
  }
}

TEST(Rewards, KnownNegativesAreTrustedAndNeverMasked) {
  const auto batch = make_batch();
  const auto k = critic_value(at::full({4, 6}, 5.0, at::kDouble), batch.y);
  EXPECT_EQ(k[3][5].item<double>(), -1);
  EXPECT_EQ(k[0][0].item<double>(), 1);
  EXPECT_NEAR(critic_value(at::full({1, 1}, -0.25), at::zeros({1, 1})).item<double>(), -0.25, 1e-12);
  RewardSpec spec;
  spec.rho = 0;
  const auto mask = sample_mask(batch.y, at::full({4, 6}, 0.5, at::kDouble), spec);
  EXPECT_TRUE(mask.eq(batch.y.ne(0).to(at::kDouble)).all().item<bool>()) << "only known labels are left at rho = 0";
  EXPECT_LT(-exact_gradient(batch, spec, 0)[3][5].item<double>(), 0) << "a known negative is pushed down";
  spec.normalisation = Normalisation::image_means;
  EXPECT_EQ(mask_probability(batch.y, spec).max().item<double>(), 0) << "the image code drops known labels too";
}

TEST(Rewards, ADrawEqualToTheRatioTakesPart) {
  const auto draws_at_border = at::tensor({0.4F, 0.40001F, 0.9F}).view({1, 3});
  const auto y = at::tensor({0.F, 0.F, 1.F}).view({1, 3});
  EXPECT_TRUE(at::equal(sample_mask(y, draws_at_border, {}), at::tensor({1.F, 0.F, 1.F}).view({1, 3})));
}

TEST(Rewards, CriticCarriesNoGradient) {
  const auto batch = make_batch();
  const auto critic = batch.critic.detach().clone().requires_grad_();
  EXPECT_FALSE(critic_value(critic, batch.y).requires_grad());
}

TEST(Rewards, GivenActionsEqualThePlainLoops) {
  const auto batch = make_batch();
  const auto k = critic_value(batch.critic, batch.y);
  auto actions = (draws({20, 4, 6}, "given.actions") < 0.5).to(at::kDouble);
  actions[0].zero_();
  actions[1].fill_(1);
  for (const auto& spec : enumeration::all_specs()) {
    const auto mask = sample_mask(batch.y, draws({20, 4, 6}, "given.mask"), spec);
    const auto total = total_reward(actions, k, batch.y, mask, 3.7, spec);
    for (std::int64_t t = 0; t < 20; ++t) {
      for (std::int64_t r = 0; r < 4; ++r) {
        const double expected = enumeration::naive_reward(row_of(actions[t], r), row_of(k, r), row_of(batch.y, r),
                                                          row_of(mask[t], r), 3.7, spec);
        EXPECT_NEAR(total[t][r].item<double>(), expected, 1e-12) << enumeration::describe(spec);
      }
    }
    if (HasFailure()) return;
  }
}

// algorithm.md 10.1: dE[R|m]/dl_c = pi_c (1 - pi_c) (m_c 2 k_c / N + 1[c in P] w / |P|).
TEST(Rewards, ClosedFormOfTheLinearCase) {
  const auto batch = make_batch();
  const auto k = critic_value(batch.critic, batch.y);
  const auto annotated = (batch.y > 0).to(at::kDouble);
  const auto pi = at::sigmoid(batch.z);
  for (const auto normalisation : {Normalisation::paper_mean, Normalisation::none}) {
    const double n = normalisation == Normalisation::paper_mean ? 6 : 1;
    auto spec = with([&](auto& s) { s.normalisation = normalisation; });
    spec.reduction = Reduction::sum;
    const auto m = mask_probability(batch.y, spec);
    const auto recall = annotated * 5.0 / annotated.sum(-1, true).clamp_min(1);
    const auto expected = pi * (1 - pi) * (m * 2 * k / n + recall);
    EXPECT_TRUE(same(-exact_gradient(batch, spec, 5), expected));
  }
}

// The released image code multiplies the global reward by R_p / (R_g + 1e-9), so R_g and w cancel: the total is 6 R_p
// wherever R_g > 0. The library has the intended R_p + w R_g only; this documents what the released default does.
TEST(Rewards, ReleasedImageTotalCancelsItsGlobalReward) {
  const auto batch = make_batch();
  auto spec = with([](auto& s) { s.normalisation = Normalisation::image_means; });
  spec.global = GlobalReward::recall_plus_negative;
  const auto actions = (draws({4, 6}, "released") < 0.5).to(at::kDouble);
  const auto mask = sample_mask(batch.y, draws({4, 6}, "released.mask"), spec);
  const auto local = local_rewards(actions, critic_value(batch.critic, batch.y), mask, spec).sum(-1);
  const auto global = global_reward(actions, batch.y, spec);
  ASSERT_TRUE((global > 0).all().item<bool>());
  EXPECT_TRUE(at::allclose(local + 5 * (local / (global + 1e-9)) * global, 6 * local, 1e-6, 1e-9));
}

/// Expected push on the logit of an entry whose true rate is q, of which a share r is annotated, in a row with one
/// annotated class: q r of the entries are seen as annotated, the rest as unknown; the critic says no (k = -1).
double expected_push(double q, double r, double rho, double w, std::int64_t classes, Normalisation normalisation) {
  RewardSpec spec;
  spec.normalisation = normalisation;
  spec.rho = rho;
  const auto push = [&](bool annotated) {
    const auto z = at::zeros({1, classes}, at::kDouble).requires_grad_();
    auto y = at::zeros({1, classes}, at::kDouble);
    y[0][annotated ? 0 : 1] = 1;
    const auto k = at::full({1, classes}, -1.0, at::kDouble);
    exact_objective(z, k, y, mask_probability(y, spec), w, spec).loss.backward();
    return -z.grad()[0][0].item<double>();
  };
  return q * r * push(true) + (1 - q * r) * push(false);
}

// algorithm.md 11 with N = |C| or 1 and |P| = 1: predict TRUE iff q > (2 rho / N) / (r (w - 2 / N + 2 rho / N)).
TEST(Rewards, OperatingPointsHaveTheRightDirection) {
  const double rho = 0.4;
  const double r = 0.1;
  for (const std::int64_t classes : {2, 96}) {
    for (const auto normalisation : {Normalisation::paper_mean, Normalisation::none}) {
      const double n = normalisation == Normalisation::none ? 1 : static_cast<double>(classes);
      for (const double w : {0.5, 10.0, 50.0}) {
        const double threshold = 2 * rho / n / (r * (w - 2 / n + 2 * rho / n));
        if (threshold <= 0 || threshold >= 1 / r) continue;  // w too small: no rate is high enough
        EXPECT_GT(expected_push(1.01 * threshold, r, rho, w, classes, normalisation), 0) << w;
        EXPECT_LT(expected_push(0.99 * threshold, r, rho, w, classes, normalisation), 0) << w;
      }
    }
  }
  // w = 10 with the paper's 1/|C| predicts nearly everything (threshold 0.008), without it the threshold is 0.9.
  EXPECT_GT(expected_push(0.02, r, rho, 10, 96, Normalisation::paper_mean), 0);
  EXPECT_LT(expected_push(0.02, r, rho, 10, 96, Normalisation::none), 0);
  EXPECT_GT(expected_push(0.95, r, rho, 10, 96, Normalisation::none), 0);
}

/// Value of an objective and its gradient, with entropy, at log-odds z.
std::pair<double, at::Tensor> with_entropy_at(const at::Tensor& at_z, const Batch& batch, const RewardSpec& spec,
                                              double weight) {
  const auto z = at_z.detach().clone().requires_grad_();
  const auto k = critic_value(batch.critic, batch.y);
  const auto plain = exact_objective(z, k, batch.y, mask_probability(batch.y, spec), 2, spec);
  const auto loss = with_entropy(plain, weight, z, spec).loss;
  loss.backward();
  return {loss.item<double>(), z.grad()};
}

TEST(Entropy, IsThatOfTheDecisions) {
  const auto batch = make_batch();
  for (const auto reduction : {Reduction::mean, Reduction::sum}) {
    for (const auto normalisation : {Normalisation::paper_mean, Normalisation::none}) {
      RewardSpec spec;
      spec.reduction = reduction;
      spec.normalisation = normalisation;
      double entropy = 0;
      for (std::int64_t i = 0; i < batch.z.numel(); ++i) {
        const double p = 1 / (1 + std::exp(-batch.z.flatten()[i].item<double>()));
        entropy -= p * std::log(p) + (1 - p) * std::log(1 - p);
      }
      const double rows = reduction == Reduction::mean ? 4 : 1;
      const double classes = normalisation == Normalisation::paper_mean ? 6 : 1;
      const double difference =
          with_entropy_at(batch.z, batch, spec, 0).first - with_entropy_at(batch.z, batch, spec, 0.3).first;
      EXPECT_NEAR(difference, 0.3 * entropy / rows / classes, 1e-12);
    }
  }
}

TEST(Entropy, TheBestLogOddsAreWhatTrueEarnsOverItsWeight) {
  const auto batch = make_batch();
  constexpr double kEntropy = 2;
  for (const auto normalisation : {Normalisation::paper_mean, Normalisation::none}) {
    RewardSpec spec;
    spec.normalisation = normalisation;
    const auto pi = at::sigmoid(batch.z);
    const auto earned = -with_entropy_at(batch.z, batch, spec, 0).second / (pi * (1 - pi));
    const double share = kEntropy / 4 / (normalisation == Normalisation::paper_mean ? 6 : 1);
    const auto best = earned / share;
    EXPECT_TRUE(at::allclose(with_entropy_at(best, batch, spec, kEntropy).second, at::zeros_like(best), 0, 1e-12));
    EXPECT_TRUE((with_entropy_at(best + 0.1, batch, spec, kEntropy).second > 0).all().item<bool>());
    EXPECT_TRUE((with_entropy_at(best - 0.1, batch, spec, kEntropy).second < 0).all().item<bool>());
    EXPECT_TRUE(at::equal(best > 0, earned > 0)) << "the decision without entropy";
  }
}

TEST(Rewards, NamesOfTheTables) {
  for (std::size_t i = 0; i < normalisations().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(parse_normalisation(normalisations()[i].name)), i);
  }
  for (std::size_t i = 0; i < global_rewards().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(parse_global_reward(global_rewards()[i].name)), i);
  }
  EXPECT_THROW(parse_normalisation("paper-meen"), UsageError);
  EXPECT_THROW(parse_global_reward(""), UsageError);
}

}  // namespace

}  // namespace mlpac
