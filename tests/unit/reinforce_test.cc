// REINFORCE: unbiased (its mean is the exact gradient), and equal to the loop over samples that the formula writes.
#include <gtest/gtest.h>

#include <cmath>

#include "enumeration.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

using enumeration::draws;
using enumeration::row_of;

constexpr double kWeight = 2.5;

struct Batch {
  at::Tensor z, k, y, actions;
};

/// Three rows: no annotation, some, and one with a known negative. Actions are draws from the policy itself.
Batch make_batch(std::int64_t samples, std::int64_t classes, const std::string& name) {
  Batch batch;
  batch.z = draws({3, classes}, name + ".z", -2, 2);
  batch.y = at::zeros({3, classes}, at::kDouble);
  batch.y[1][0] = 1;
  batch.y[2][1] = 1;
  batch.y[2][classes - 1] = -1;
  batch.k = critic_value(draws({3, classes}, name + ".critic", -2, 2), batch.y);
  batch.actions = (draws({samples, 3, classes}, name + ".actions") < at::sigmoid(batch.z)).to(at::kDouble);
  return batch;
}

struct Result {
  double loss;
  at::Tensor gradient;
};

Result reinforce(const Batch& batch, const at::Tensor& mask, const RewardSpec& spec) {
  const auto z = batch.z.detach().clone().requires_grad_();
  const auto loss = reinforce_objective(z, batch.k, batch.y, batch.actions, mask, kWeight, spec).loss;
  loss.backward();
  return {loss.item<double>(), z.grad()};
}

/// log pi_c(a_c), by definition.
at::Tensor log_probability(const at::Tensor& z, const at::Tensor& actions) {
  const auto pi = at::sigmoid(z);
  return (actions * pi + (1 - actions) * (1 - pi)).log();
}

/// -1/T sum_t R(a_t) sum_c g_c log pi_c(a_t,c), one sample and one row after the other.
Result naive(const Batch& batch, const at::Tensor& mask, const RewardSpec& spec) {
  const auto z = batch.z.detach().clone().requires_grad_();
  const auto samples = batch.actions.size(0);
  auto loss = at::zeros({}, at::kDouble);
  for (std::int64_t t = 0; t < samples; ++t) {
    const auto m = mask.dim() == 3 ? mask[t] : mask;
    for (std::int64_t r = 0; r < z.size(0); ++r) {
      const double reward = enumeration::naive_reward(row_of(batch.actions[t], r), row_of(batch.k, r),
                                                      row_of(batch.y, r), row_of(m, r), kWeight, spec);
      auto terms = log_probability(z[r], batch.actions[t][r]);
      if (spec.mask_logprob) terms = terms * m[r];
      loss = loss - reward * terms.sum() / static_cast<double>(samples);
    }
  }
  if (spec.reduction == Reduction::mean) loss = loss / static_cast<double>(z.size(0));
  loss.backward();
  return {loss.item<double>(), z.grad()};
}

TEST(Reinforce, EqualsTheLoopOverSamples) {
  const auto batch = make_batch(4, 5, "loop");
  for (const auto& spec : enumeration::all_specs()) {
    SCOPED_TRACE(enumeration::describe(spec));
    const auto own = sample_mask(batch.y, draws({4, 3, 5}, "loop.mask"), spec);
    for (const auto& mask : {own, own[0]}) {
      const auto fast = reinforce(batch, mask, spec);
      const auto slow = naive(batch, mask, spec);
      EXPECT_NEAR(fast.loss, slow.loss, 1e-10 * (1 + std::abs(slow.loss)));
      EXPECT_TRUE(at::allclose(fast.gradient, slow.gradient, 1e-9, 1e-12));
    }
    if (HasFailure()) return;
  }
}

TEST(Reinforce, OneSampleIsMinusLogProbabilityTimesReward) {
  const auto batch = make_batch(1, 4, "single");
  RewardSpec spec;
  spec.mask_logprob = false;
  spec.reduction = Reduction::sum;
  const auto mask = at::ones({1, 3, 4}, at::kDouble);
  const auto reward = total_reward(batch.actions, batch.k, batch.y, mask, kWeight, spec)[0];
  const auto expected = -(log_probability(batch.z, batch.actions[0]).sum(-1) * reward).sum().item<double>();
  EXPECT_NEAR(reinforce(batch, mask, spec).loss, expected, 1e-12 * std::abs(expected) + 1e-12);
}

// The gradient of one sample is -R g_c (a_c - pi_c); its spread over samples gives the standard error of the mean.
TEST(Reinforce, MeanIsTheExactGradient) {
  const std::int64_t samples = 40000;
  const std::int64_t classes = 5;
  const auto batch = make_batch(samples, classes, "mean");
  const auto u = draws({samples, 3, classes}, "mean.mask");
  for (const auto& spec : enumeration::all_specs()) {
    if (spec.reduction == Reduction::sum) continue;  // the same numbers times the rows
    if (!spec.local && spec.global == GlobalReward::none) continue;
    SCOPED_TRACE(enumeration::describe(spec));
    const auto mask = sample_mask(batch.y, u, spec);
    const auto z = batch.z.detach().clone().requires_grad_();
    exact_objective(z, batch.k, batch.y, mask_probability(batch.y, spec), kWeight, spec).loss.backward();

    const auto reward = total_reward(batch.actions, batch.k, batch.y, mask, kWeight, spec).unsqueeze(-1);
    auto per_sample = -reward * (batch.actions - at::sigmoid(batch.z)) / 3;
    if (spec.mask_logprob) per_sample = per_sample * mask;
    const auto error = per_sample.std(0) / std::sqrt(static_cast<double>(samples));
    const auto estimate = reinforce(batch, mask, spec).gradient;
    EXPECT_TRUE(at::allclose(estimate, per_sample.mean(0), 1e-9, 1e-12));
    const auto deviation = (estimate - z.grad()).abs() / (error + 1e-12);
    EXPECT_LT(deviation.max().item<double>(), 5) << deviation;
    // The bound says something only if the errors are small beside the gradient.
    EXPECT_LT((error.norm() / z.grad().norm()).item<double>(), 0.1);
    if (HasFailure()) return;
  }
}

TEST(Reinforce, GradientAgreesWithFiniteDifferences) {
  const auto batch = make_batch(6, 4, "difference");
  for (const bool masked : {false, true}) {
    RewardSpec spec;
    spec.normalisation = Normalisation::docre_count;
    spec.mask_logprob = masked;
    const auto mask = sample_mask(batch.y, draws({6, 3, 4}, "difference.mask"), spec);
    const auto gradient = reinforce(batch, mask, spec).gradient;
    const double step = 1e-5;
    for (std::int64_t i = 0; i < batch.z.numel(); ++i) {
      auto moved = batch;
      moved.z = batch.z.clone();
      moved.z.view(-1)[i] += step;
      const double above = reinforce(moved, mask, spec).loss;
      moved.z.view(-1)[i] -= 2 * step;
      const double below = reinforce(moved, mask, spec).loss;
      EXPECT_NEAR(gradient.reshape(-1)[i].item<double>(), (above - below) / (2 * step), 1e-8);
    }
  }
}

TEST(Reinforce, GreedyTermIsMixedIn) {
  const auto batch = make_batch(3, 4, "greedy");
  RewardSpec spec;
  spec.normalisation = Normalisation::image_means;
  spec.global = GlobalReward::recall_plus_negative;
  spec.mask_logprob = false;
  const auto mask = sample_mask(batch.y, draws({3, 4}, "greedy.mask"), spec);
  const auto sampled = reinforce_objective(batch.z, batch.k, batch.y, batch.actions, mask, kWeight, spec);
  auto thresholded = batch;
  thresholded.actions = (at::sigmoid(batch.z) > 0.5).to(at::kDouble).unsqueeze(0);
  const double greedy = naive(thresholded, mask, spec).loss;
  const auto mixed = with_greedy(sampled, 0.1, batch.z, batch.k, batch.y, mask, kWeight, spec);
  EXPECT_NEAR(mixed.loss.item<double>(), 0.9 * sampled.loss.item<double>() + 0.1 * greedy, 1e-12);
  EXPECT_NEAR(with_greedy(sampled, 0, batch.z, batch.k, batch.y, mask, kWeight, spec).loss.item<double>(),
              sampled.loss.item<double>(), 1e-12);
}

TEST(Reinforce, FiniteForSaturatedPolicies) {
  const auto z = at::tensor({80.F, -80.F, 80.F}).view({1, 3}).requires_grad_();
  const auto y = at::tensor({1.F, 0.F, 0.F}).view({1, 3});
  const auto actions = at::tensor({0.F, 1.F, 1.F}).view({1, 1, 3});  // the least likely ones
  const auto loss = reinforce_objective(z, critic_value(z, y), y, actions, at::ones({1, 1, 3}), 10, {}).loss;
  loss.backward();
  EXPECT_TRUE(at::isfinite(loss).item<bool>());
  EXPECT_TRUE(at::isfinite(z.grad()).all().item<bool>());
}

}  // namespace

}  // namespace mlpac
