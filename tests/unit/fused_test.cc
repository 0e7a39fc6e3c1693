// The loops for float32 on the CPU against the tensor code that defines what they compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "enumeration.h"
#include "kernels/kernels.h"
#include "losses/bce.h"
#include "losses/pos_weight.h"
#include "losses/role.h"
#include "nn/network.h"
#include "rl/linear.h"

namespace mlpac {

namespace {

using enumeration::draws;

constexpr double kWeight = 3.7;

bool is_linear(const RewardSpec& spec) {
  const bool counts =
      spec.normalisation == Normalisation::docre_count || spec.normalisation == Normalisation::image_means;
  return !(spec.local && counts) && spec.global != GlobalReward::precision && spec.global != GlobalReward::f1;
}

struct Example {
  at::Tensor z, critic, y;
};

/// Rows without annotations, with nothing else, with known negatives, and two ordinary ones; doubles that are float32
/// numbers, so that both types see the same.
Example make_example(std::int64_t classes) {
  const auto u = draws({5, classes}, "fused.y");
  auto y = at::zeros({5, classes}, at::kDouble).masked_fill_(u < 0.3, 1).masked_fill_(u > 0.8, -1);
  y[0].zero_();
  y[1].fill_(1);
  y[2].fill_(-1);
  const auto rounded = [](const at::Tensor& x) { return x.to(at::kFloat).to(at::kDouble); };
  return {rounded(draws({5, classes}, "fused.z", -6, 6)), rounded(draws({5, classes}, "fused.critic", -2, 2)), y};
}

struct Result {
  double loss, local, global;
  at::Tensor gradient;
};

Result read(const PolicyObjective& objective, const at::Tensor& z) {
  objective.loss.backward();
  return {objective.loss.item<double>(), objective.local.item<double>(), objective.global.item<double>(),
          z.grad().to(at::kDouble)};
}

void expect_equal(const Result& a, const Result& b, double tolerance) {
  // A sum of terms of either sign is as accurate as the terms, each at most about 1.
  const double terms = 0.1 * static_cast<double>(b.gradient.numel());
  const auto near = [&](double x, double y) { EXPECT_NEAR(x, y, tolerance * std::max({1.0, terms, std::abs(y)})); };
  near(a.loss, b.loss);
  near(a.local, b.local);
  near(a.global, b.global);
  EXPECT_TRUE(at::allclose(a.gradient, b.gradient, tolerance, tolerance)) << a.gradient << b.gradient;
}

Result exact(const Example& example, at::ScalarType type, const RewardSpec& spec) {
  const auto z = example.z.to(type).detach().clone().requires_grad_();
  const auto y = example.y.to(type);
  return read(exact_objective(z, critic_value(example.critic.to(type), y), y, mask_probability(y, spec), kWeight, spec),
              z);
}

TEST(Fused, RoleEqualsTheTensorsOne) {
  for (const std::int64_t classes : {1, 14, 700}) {
    auto example = make_example(classes);
    example.z[3].fill_(80);
    example.critic[4].fill_(-80);
    const auto run = [&](at::ScalarType type) {
      const auto z = example.z.to(type).detach().clone().requires_grad_();
      const auto estimated = example.critic.to(type).detach().clone().requires_grad_();
      const auto result = role(z, estimated, example.y.to(type), {.expected = 0.7});
      (3 * result.loss).backward();
      return std::array<at::Tensor, 4>{result.loss.detach().to(at::kDouble), result.penalty.detach().to(at::kDouble),
                                       z.grad().to(at::kDouble), estimated.grad().to(at::kDouble)};
    };
    const auto fused = run(at::kFloat);
    const auto defined = run(at::kDouble);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      EXPECT_TRUE(at::allclose(fused[i], defined[i], 1e-5, 1e-7)) << classes << " classes, " << i;
    }
  }
}

TEST(Fused, ExactObjectiveEqualsTheTensorsOne) {
  int compared = 0;
  for (const std::int64_t classes : {1, 3, 14, 16, 159}) {
    const auto example = make_example(classes);
    for (auto spec : enumeration::all_specs()) {
      if (!is_linear(spec)) continue;
      spec.rho = 0.375;
      SCOPED_TRACE(enumeration::describe(spec) + ", " + std::to_string(classes) + " classes");
      const auto y = example.y.to(at::kFloat);
      ASSERT_TRUE(exact_linear(y, y, y, y, 1, spec));
      expect_equal(exact(example, at::kFloat, spec), exact(example, at::kDouble, spec), 1e-6);
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Fused, OtherRewardsAreLeftToTheTensors) {
  const auto y = at::zeros({2, 3});
  for (const auto& spec : enumeration::all_specs()) {
    EXPECT_EQ(exact_linear(y, y, y, y, 1, spec).has_value(), is_linear(spec)) << enumeration::describe(spec);
  }
  const auto precise = y.to(at::kDouble);
  EXPECT_FALSE(exact_linear(precise, precise, precise, precise, 1, {}));
  EXPECT_FALSE(exact_linear(at::zeros({3, 2}).t(), y, y, y, 1, {}));
}

TEST(Fused, ReinforceEqualsTheTensorsOneForTheSameDraws) {
  const Draws keyed(5, 2, {4, 0, 9, 17, 3}, at::kCPU);
  for (const std::int64_t classes : {1, 3, 14, 40}) {
    const auto example = make_example(classes);
    for (const std::int64_t samples : {1, 7, 100}) {
      for (const auto& spec : enumeration::all_specs()) {
        if (!is_linear(spec)) continue;
        SCOPED_TRACE(enumeration::describe(spec) + ", " + std::to_string(classes) + " classes");
        const auto y = example.y.to(at::kFloat);
        const auto k = critic_value(example.critic.to(at::kFloat), y);
        const auto z = example.z.to(at::kFloat).requires_grad_();
        const auto fast = reinforce_linear(z, k, y, keyed, samples, kWeight, spec);
        ASSERT_TRUE(fast);
        const auto own = read(*fast, z);
        const auto x = example.z.to(at::kFloat).to(at::kDouble).requires_grad_();
        const auto pi = at::sigmoid(example.z.to(at::kFloat));
        const auto actions = (keyed.uniform("actions", samples, classes) < pi).to(at::kDouble);
        const auto mask = sample_mask(y, keyed.uniform("mask", samples, classes), spec).to(at::kDouble);
        const auto reference =
            read(reinforce_objective(x, k.to(at::kDouble), example.y, actions, mask, kWeight, spec), x);
        expect_equal(own, reference, 1e-5);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Fused, CrossEntropyEqualsTheTensorsOne) {
  for (const std::int64_t classes : {1, 7, 500}) {
    const auto example = make_example(classes);
    for (const bool weighted : {false, true}) {
      for (const auto reduction : {Reduction::mean, Reduction::sum}) {
        const auto result = [&](at::ScalarType type) {
          const auto z = example.z.to(type).detach().clone().requires_grad_();
          const auto y = example.y.to(type);
          const LossInput input{z, y, batch_sums(y), {}};
          const auto once =
              weighted ? pos_weight(input, {.reduction = reduction}) : bce(input, {.reduction = reduction});
          const auto loss = 2 * once;  // a gradient that is not 1
          loss.backward();
          return Result{loss.item<double>(), 0, 0, z.grad().to(at::kDouble)};
        };
        expect_equal(result(at::kFloat), result(at::kDouble), 2e-6);
      }
    }
  }
}

TEST(Fused, CrossEntropyOfExtremeLogOdds) {
  const auto infinite = std::numeric_limits<float>::infinity();
  const auto z = at::tensor({-200.F, 200.F, -30.F, 90.F}).view({1, 4}).requires_grad_();
  const auto y = at::tensor({1.F, 0.F, 0.F, 1.F}).view({1, 4});
  const auto loss = bce({z, y, {}, {}});
  loss.backward();
  EXPECT_NEAR(loss.item<float>(), 400, 1e-3);
  EXPECT_TRUE(at::allclose(z.grad(), at::tensor({-1.F, 1.F, 0.F, 0.F}).view({1, 4}), 0, 1e-6));
  // What is not finite shows: the loop stops with "diverged" instead of training on nothing.
  for (const float bad : {std::nanf(""), infinite}) {
    const auto broken = at::tensor({0.F, bad}).view({1, 2});
    EXPECT_FALSE(std::isfinite(bce({broken, at::zeros({1, 2}), {}, {}}).item<float>()));
  }
  const auto nan = at::full({2, 3}, std::nanf(""));
  const auto zero = at::zeros({2, 3});
  EXPECT_TRUE(std::isnan(exact_objective(nan, zero, zero + 1, zero + 1, 1, {}).loss.item<float>()));
  EXPECT_TRUE(std::isnan(critic_value(nan, zero)[0][0].item<float>()));
}

TEST(Fused, SigmoidIsAccurate) {
  const auto z = at::linspace(-80, 80, 20001, at::kFloat);
  auto pi = at::empty_like(z);
  kernels::sigmoid(pi.data_ptr<float>(), z.data_ptr<float>(), z.numel());
  const auto reference = at::sigmoid(z.to(at::kDouble));
  EXPECT_LT(((pi.to(at::kDouble) - reference) / reference).abs().max().item<double>(), 3e-7);
}

// ---- networks ----

struct Pass {
  at::Tensor logits;
  std::vector<at::Tensor> gradients;
};

/// Forward and backward; an input that asks for its gradient selects the usual graph.
Pass pass(const nlohmann::json& architecture, Batch batch, bool usual) {
  const auto network = create_network(architecture);
  network->initialise(3);
  network->train();
  batch.inputs.back() = batch.inputs.back().clone().requires_grad_(usual);
  Pass result;
  result.logits = network->forward(batch);
  (result.logits * draws(result.logits.sizes(), "fused.seed", -1, 1).to(at::kFloat)).sum().backward();
  for (const auto& parameter : network->parameters()) {
    result.gradients.push_back(parameter.grad().is_sparse() ? parameter.grad().to_dense() : parameter.grad());
  }
  return result;
}

Batch batch_of(bool sparse) {
  Batch batch;
  batch.rows = {3, 1, 4, 15, 9, 2};
  batch.draws = Draws(1, 0, batch.rows, at::kCPU);
  if (!sparse) {
    batch.inputs = {draws({6, 7}, "fused.x", -1, 1).to(at::kFloat)};
    return batch;
  }
  batch.inputs = {at::tensor({0, 2, 3, 3, 7, 8, 10}, at::kInt), at::tensor({0, 5, 1, 0, 1, 2, 6, 4, 0, 6}, at::kInt),
                  draws({10}, "fused.values", -1, 1).to(at::kFloat)};
  return batch;
}

TEST(Fused, NetworksGiveTheLogitsAndGradientsOfTheUsualGraph) {
  for (const bool sparse : {false, true}) {
    for (const auto& widths : {std::vector<std::int64_t>{}, {9}, {70, 5}, {256}}) {
      for (const double dropout : {0.0, 0.4}) {
        SCOPED_TRACE(::testing::Message() << sparse << ' ' << widths.size() << " hidden layers, dropout " << dropout);
        const nlohmann::json architecture{{"network", widths.empty() ? "linear" : "mlp"},
                                          {"inputs", 7},
                                          {"outputs", 4},
                                          {"widths", widths},
                                          {"dropout", dropout},
                                          {"sparse", sparse}};
        const auto fused = pass(architecture, batch_of(sparse), false);
        const auto usual = pass(architecture, batch_of(sparse), true);
        EXPECT_TRUE(at::allclose(fused.logits, usual.logits, 1e-5, 1e-6));
        ASSERT_EQ(fused.gradients.size(), usual.gradients.size());
        for (std::size_t i = 0; i < fused.gradients.size(); ++i) {
          EXPECT_TRUE(at::allclose(fused.gradients[i], usual.gradients[i], 1e-5, 1e-6)) << "parameter " << i;
        }
      }
    }
  }
}

}  // namespace

}  // namespace mlpac
