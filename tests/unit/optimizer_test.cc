// Adam against LibTorch's optimisers step by step, its groups and switches, and continuing from a saved state.
#include "train/optimizer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "enumeration.h"
#include "mlpac/error.h"
#include "nn/torch.h"
#include "train/state.h"

namespace mlpac {

namespace {

using enumeration::draws;

constexpr int kSteps = 12;

/// A matrix and a bias, as a layer has them.
std::vector<at::Tensor> make_parameters(at::ScalarType type) {
  return {draws({3, 4}, "weight", -1, 1).to(type).requires_grad_(),
          draws({4}, "bias", -1, 1).to(type).requires_grad_()};
}

/// Gradients of very different sizes, so that eps and bias correction show.
void set_gradients(const std::vector<at::Tensor>& parameters, int step) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto name = "gradient" + std::to_string(step) + "." + std::to_string(i);
    const auto scale = at::pow(10, draws(parameters[i].sizes(), name + ".scale", -7, 1));
    parameters[i].mutable_grad() = (draws(parameters[i].sizes(), name, -1, 1) * scale).to(parameters[i].dtype());
  }
}

std::vector<NamedParameter> named(const std::vector<at::Tensor>& parameters) {
  return {{"weight", parameters[0]}, {"bias", parameters[1]}};
}

double largest_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, (a[i] - b[i]).abs().max().to(at::kDouble).item<double>());
  }
  return largest;
}

template <typename Reference, typename Options>
void expect_trajectory(const OptimizerSpec& spec, const Options& options, at::ScalarType type, double tolerance) {
  const auto ours = make_parameters(type);
  const auto theirs = make_parameters(type);
  Adam adam(named(ours), spec);
  Reference reference(theirs, options);
  for (int step = 0; step < kSteps; ++step) {
    set_gradients(ours, step);
    set_gradients(theirs, step);
    adam.step({});
    reference.step();
    ASSERT_LT(largest_difference(ours, theirs), tolerance) << "step " << step;
  }
}

TEST(Optimizer, EqualsTorchAdamW) {
  const OptimizerSpec spec{.lr = 0.01, .weight_decay = 0.1};
  const auto options = torch::optim::AdamWOptions(0.01).weight_decay(0.1);
  expect_trajectory<torch::optim::AdamW>(spec, options, at::kFloat, 1e-6);
  expect_trajectory<torch::optim::AdamW>(spec, options, at::kDouble, 1e-13);
}

TEST(Optimizer, EqualsTorchAdamWithL2) {
  const OptimizerSpec spec{
      .lr = 0.01, .beta1 = 0.8, .beta2 = 0.99, .eps = 1e-5, .weight_decay = 0.1, .decoupled = false};
  const auto options = torch::optim::AdamOptions(0.01).betas({0.8, 0.99}).eps(1e-5).weight_decay(0.1);
  expect_trajectory<torch::optim::Adam>(spec, options, at::kFloat, 1e-6);
  expect_trajectory<torch::optim::Adam>(spec, options, at::kDouble, 1e-13);
}

// A first step of Adam moves every element by lr * g / (|g| + eps): nothing may be lost in 1 - beta2.
TEST(Optimizer, FirstStepIsPrecise) {
  const auto value = at::zeros({1}).requires_grad_();
  Adam adam({{"x", value}}, {.lr = 1});
  value.mutable_grad() = at::full({1}, 2.0);
  adam.step({});
  EXPECT_NEAR(value.item<double>(), -1, 2e-7);
}

// transformers' AdamW: lr sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt(v) + eps).
TEST(Optimizer, EpsBeforeCorrection) {
  const auto value = at::zeros({1}, at::kDouble).requires_grad_();
  Adam adam({{"x", value}}, {.lr = 0.1, .eps = 1e-3, .eps_before_correction = true});
  const double g = 0.02;
  value.mutable_grad() = at::full({1}, g, at::kDouble);
  adam.step({});
  EXPECT_NEAR(value.item<double>(), -0.1 * std::sqrt(0.001) / 0.1 * 0.1 * g / (std::sqrt(0.001) * g + 1e-3), 1e-12);
}

// transformers' AdamW takes the decay off after the update, LibTorch's before it.
TEST(Optimizer, DecayFollowsTheUpdateInTransformersForm) {
  for (const auto type : {at::kFloat, at::kDouble}) {
    const auto plain = at::full({2, 2}, 0.5, type).requires_grad_();
    const auto decayed = at::full({2, 2}, 0.5, type).requires_grad_();
    Adam a({{"x", plain}}, {.lr = 0.1, .eps_before_correction = true});
    Adam b({{"x", decayed}}, {.lr = 0.1, .weight_decay = 0.5, .eps_before_correction = true});
    for (const auto& p : {plain, decayed}) p.mutable_grad() = at::ones_like(p);
    a.step({});
    b.step({});
    EXPECT_TRUE(at::allclose(plain * 0.95, decayed, 1e-6, 0));
  }
}

TEST(Optimizer, FusedPathEqualsTensorPath) {
  const OptimizerSpec spec{.lr = 0.01, .weight_decay = 0.05, .clip = 0.5};
  const auto fused = make_parameters(at::kFloat);
  // The transposed copy is not contiguous, which selects the general path.
  std::vector<at::Tensor> general{fused[0].detach().t().contiguous().t().requires_grad_(), fused[1].detach().clone()};
  general[1].requires_grad_();
  ASSERT_FALSE(general[0].is_contiguous());
  Adam a(named(fused), spec);
  Adam b(named(general), spec);
  for (int step = 0; step < kSteps; ++step) {
    set_gradients(fused, step);
    set_gradients(general, step);
    a.step({});
    b.step({});
  }
  EXPECT_LT(largest_difference(fused, general), 1e-6);
}

TEST(Optimizer, GroupsScaleTheLearningRate) {
  const auto x = at::zeros({2}, at::kDouble).requires_grad_();
  const auto y = at::zeros({2}, at::kDouble).requires_grad_();
  const auto z = at::zeros({2}, at::kDouble).requires_grad_();
  Adam adam({{"x", x, 1}, {"y", y, 6}, {"z", z, 0}}, {.lr = 0.01});
  for (int step = 0; step < 3; ++step) {
    for (auto p : {x, y, z}) p.mutable_grad() = at::tensor({0.3, -0.1}, at::kDouble);
    adam.step({.factor = 0.5});
  }
  EXPECT_TRUE(at::allclose(6 * x, y, 1e-12, 0));
  EXPECT_NEAR(x[0].item<double>(), -0.015, 1e-6);
  EXPECT_EQ(z.abs().sum().item<double>(), 0);
}

TEST(Optimizer, DecayOnMatricesOnly) {
  const auto parameters = make_parameters(at::kDouble);
  const auto weight = parameters[0].detach().clone();
  const auto bias = parameters[1].detach().clone();
  for (const bool decoupled : {true, false}) {
    Adam adam(named(parameters), {.lr = 0.1, .weight_decay = 0.5, .decoupled = decoupled, .decay_matrices_only = true});
    for (const auto& p : parameters) p.mutable_grad() = at::zeros_like(p);
    adam.step({});
    EXPECT_GT((parameters[0] - weight).abs().min().item<double>(), 0);
    EXPECT_TRUE(at::equal(parameters[1], bias));
  }
}

TEST(Optimizer, ClipsTheNormOverAllParameters) {
  auto clipped = make_parameters(at::kDouble);
  auto by_hand = make_parameters(at::kDouble);
  Adam a(named(clipped), {.lr = 0.1, .eps = 1, .clip = 0.25});
  Adam b(named(by_hand), {.lr = 0.1, .eps = 1});
  for (int step = 0; step < 4; ++step) {
    set_gradients(clipped, step);
    set_gradients(by_hand, step);
    torch::nn::utils::clip_grad_norm_(by_hand, 0.25);
    a.step({});
    b.step({});
  }
  EXPECT_LT(largest_difference(clipped, by_hand), 1e-12);
  // A small gradient is left alone.
  Adam loose(named(clipped), {.lr = 0.1, .clip = 1e9});
  Adam none(named(by_hand), {.lr = 0.1});
  set_gradients(clipped, 9);
  set_gradients(by_hand, 9);
  loose.step({});
  none.step({});
  EXPECT_LT(largest_difference(clipped, by_hand), 1e-12);
}

TEST(Optimizer, ForgetsGradientsAndSkipsParametersWithoutOne) {
  const auto parameters = make_parameters(at::kFloat);
  const auto bias = parameters[1].detach().clone();
  Adam adam(named(parameters), {.lr = 0.1, .weight_decay = 0.5, .clip = 1});
  parameters[0].mutable_grad() = at::ones_like(parameters[0]);
  adam.step({});
  EXPECT_FALSE(parameters[0].grad().defined());
  EXPECT_TRUE(at::equal(parameters[1], bias));
  adam.step({});  // nothing to do
}

TEST(Optimizer, ContinuesBitForBitFromAFile) {
  const OptimizerSpec spec{.lr = 0.01, .weight_decay = 0.1, .clip = 1};
  const auto straight = make_parameters(at::kFloat);
  const auto resumed = make_parameters(at::kFloat);
  const auto path = std::filesystem::path(::testing::TempDir()) / ("adam" + std::to_string(::getpid()));
  Adam all(named(straight), spec);
  {
    Adam half(named(resumed), spec);
    for (int step = 0; step < 2 * kSteps; ++step) {
      set_gradients(straight, step);
      all.step({.factor = 1.0 / (step + 1)});
      if (step >= kSteps) continue;
      set_gradients(resumed, step);
      half.step({.factor = 1.0 / (step + 1)});
    }
    State state;
    half.save(state, "policy.");
    save_state(path, state);
  }
  Adam rest(named(resumed), spec);
  rest.load(load_state(path), "policy.");
  std::filesystem::remove(path);
  for (int step = kSteps; step < 2 * kSteps; ++step) {
    set_gradients(resumed, step);
    rest.step({.factor = 1.0 / (step + 1)});
  }
  EXPECT_TRUE(at::equal(straight[0], resumed[0]));
  EXPECT_TRUE(at::equal(straight[1], resumed[1]));
}

TEST(Optimizer, RefusesAForeignState) {
  const auto parameters = make_parameters(at::kFloat);
  Adam adam(named(parameters), {});
  State state;
  adam.save(state, "");
  EXPECT_THROW(adam.load(state, "critic."), Error);
  auto missing = state;
  missing.tensors.erase("second.bias");
  EXPECT_THROW(adam.load(missing, ""), Error);
  auto stretched = state;
  stretched.tensors["first.bias"] = at::zeros({1});
  EXPECT_THROW(adam.load(stretched, ""), Error);
  EXPECT_NO_THROW(adam.load(state, ""));
}

}  // namespace

}  // namespace mlpac
