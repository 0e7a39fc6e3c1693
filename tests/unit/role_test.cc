// ROLE: the loss in plain loops, and what its phases may change.
#include "losses/role.h"

#include <gtest/gtest.h>

#include <cmath>

#include "enumeration.h"
#include "mlpac/error.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

using enumeration::draws;

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kClasses = 4;
constexpr double kExpected = 1.3;

at::Tensor some_labels() {
  return at::tensor({1., 0., 0., -1., 0., 0., 0., 0., 0., 1., 1., 0.}, at::kDouble).view({kRows, kClasses});
}

/// L(f) of the paper for probabilities `own`, taught by `other`.
double one_side(const at::Tensor& own, const at::Tensor& other, const at::Tensor& y) {
  double sum = 0;
  double expected = 0;
  for (std::int64_t b = 0; b < kRows; ++b) {
    for (std::int64_t c = 0; c < kClasses; ++c) {
      const double f = own[b][c].item<double>();
      const double g = other[b][c].item<double>();
      const double state = y[b][c].item<double>();
      if (state > 0) sum -= std::log(f + 1e-5);
      if (state < 0) sum -= std::log(1 - f + 1e-5);
      sum -= g * std::log(f + 1e-5) + (1 - g) * std::log(1 - f + 1e-5);
      expected += f;
    }
  }
  return sum / (kRows * kClasses) + std::pow((expected / kRows - kExpected) / kClasses, 2);
}

TEST(Role, IsTheFormulaAndLearnsNothingThroughBeliefs) {
  const auto y = some_labels();
  auto z = draws({kRows, kClasses}, "role.z", -3, 3).requires_grad_();
  auto estimated = draws({kRows, kClasses}, "role.g", -3, 3).requires_grad_();
  const auto result = role(z, estimated, y, {.expected = kExpected});
  const auto f = at::sigmoid(z.detach());
  const auto g = at::sigmoid(estimated.detach());
  EXPECT_NEAR(result.loss.item<double>(), 0.5 * (one_side(f, g, y) + one_side(g, f, y)), 1e-12);
  result.loss.backward();
  // The gradient of one side is that of its own half alone.
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < z.numel(); ++i) {
    const auto moved = [&](const at::Tensor& logits, double by) {
      auto copy = logits.detach().clone();
      copy.view(-1)[i] += by;
      return at::sigmoid(copy);
    };
    const double slope_f = (one_side(moved(z, kStep), g, y) - one_side(moved(z, -kStep), g, y)) / (2 * kStep);
    const double slope_g =
        (one_side(moved(estimated, kStep), f, y) - one_side(moved(estimated, -kStep), f, y)) / (2 * kStep);
    EXPECT_NEAR(z.grad().view(-1)[i].item<double>(), 0.5 * slope_f, 1e-8);
    EXPECT_NEAR(estimated.grad().view(-1)[i].item<double>(), 0.5 * slope_g, 1e-8);
  }
}

TEST(Role, EstimatesBeginUndecidedAndStayFinite) {
  const auto y = some_labels();
  const auto p = at::sigmoid(role_initial_logits(draws({kRows, kClasses}, "role.init"), y));
  EXPECT_TRUE(at::allclose(p.masked_select(y > 0), at::full({3}, 0.995, at::kDouble)));
  EXPECT_TRUE(at::allclose(p.masked_select(y < 0), at::full({1}, 0.005, at::kDouble)));
  const auto rest = p.masked_select(y == 0);
  EXPECT_TRUE(((rest > 0.4) & (rest < 0.6)).all().item<bool>());
  EXPECT_GT(rest.std().item<double>(), 0.01);
  const auto extreme = role_logits(at::tensor({0., 1., 0.5}, at::kDouble));
  EXPECT_TRUE(at::isfinite(extreme).all().item<bool>());
  EXPECT_EQ(extreme[2].item<double>(), 0);
  EXPECT_TRUE(
      at::isfinite(role(at::full({1, 2}, 100.F), at::full({1, 2}, -100.F), at::ones({1, 2}), {}).loss).item<bool>());
}

TEST(Role, LinearEpochsTrainTheLastLayerAloneFirst) {
  const tiny::Settings settings{{"method", "role"}, {"ratio", "0.5"}, {"linear-epochs", "2"}, {"epochs", "1"}};
  const auto run = [&](const char* lr, const char* linear_lr) {
    auto all = settings;
    all.insert(all.end(), {{"lr", lr}, {"pretrain-lr", linear_lr}});
    return tiny::run(all);
  };
  const auto nothing = run("0", "0");
  EXPECT_EQ(nothing.phase("linear").size(), 2U);
  EXPECT_EQ(nothing.phase("train").size(), 1U);
  const auto linear = run("0", "0.01");
  EXPECT_TRUE(at::equal(linear.weights.at("layer0.weight"), nothing.weights.at("layer0.weight")));
  EXPECT_TRUE(at::equal(linear.weights.at("layer0.bias"), nothing.weights.at("layer0.bias")));
  EXPECT_FALSE(at::equal(linear.weights.at("layer1.weight"), nothing.weights.at("layer1.weight")));
  const auto both = run("0.01", "0.01");
  EXPECT_FALSE(at::equal(both.weights.at("layer0.weight"), nothing.weights.at("layer0.weight")));
}

TEST(Role, ExpectedPositivesMatter) {
  const auto run = [](const char* expected) {
    const auto result = tiny::run({{"method", "role"},
                                   {"ratio", "0.5"},
                                   {"expected-positives", expected},
                                   {"epochs", "20"},
                                   {"selection", "last"}});
    double sum = 0;
    for (const float p : result.report.model->predict(tiny::data()).probabilities) sum += p;
    return sum / 200;
  };
  EXPECT_GT(run("4.5"), run("0.5") + 0.5);
}

}  // namespace

}  // namespace mlpac
