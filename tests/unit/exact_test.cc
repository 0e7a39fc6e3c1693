// The exact objective against enumeration of all actions and masks, and its quadrature against dynamic programming.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "enumeration.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

using enumeration::draws;
using enumeration::Row;

constexpr double kWeight = 3.7;

/// A batch with the rows that formulas forget: nothing annotated, everything annotated, only known negatives.
struct Batch {
  at::Tensor z, k, y;
};

Batch make_batch(std::int64_t classes, const std::string& name) {
  const std::int64_t rows = 6;
  Batch batch;
  batch.z = draws({rows, classes}, name + ".z", -3, 3);
  auto y = at::zeros({rows, classes}, at::kDouble);
  const auto u = draws({rows, classes}, name + ".y");
  y.masked_fill_(u < 0.3, 1).masked_fill_(u > 0.8, -1);
  y.select(0, 0).zero_();
  y.select(0, 1).fill_(1);
  y.select(0, 2).fill_(-1);
  batch.y = y;
  batch.k = critic_value(draws({rows, classes}, name + ".critic", -2, 2), y);
  return batch;
}

void expect_enumeration(const Batch& batch, const at::Tensor& mask, const RewardSpec& spec) {
  const auto z = batch.z.detach().clone().requires_grad_();
  const auto objective = exact_objective(z, batch.k, batch.y, mask, kWeight, spec);
  objective.loss.backward();
  const auto rows = z.size(0);
  const double scale = spec.reduction == Reduction::mean ? 1.0 / static_cast<double>(rows) : 1.0;
  double value = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto expected =
        enumeration::expectation(enumeration::row_of(z.detach(), r), enumeration::row_of(batch.k, r),
                                 enumeration::row_of(batch.y, r), enumeration::row_of(mask, r), kWeight, spec);
    value += scale * expected.value;
    for (std::int64_t c = 0; c < z.size(1); ++c) {
      const double reference = scale * expected.gradient[static_cast<std::size_t>(c)];
      EXPECT_NEAR(z.grad()[r][c].item<double>(), reference, 1e-6 * std::abs(reference) + 1e-12)
          << "gradient of row " << r << ", class " << c;
    }
  }
  EXPECT_NEAR(objective.loss.item<double>(), value, 1e-6 * std::abs(value) + 1e-12);
}

TEST(Exact, EqualsEnumerationForSampledMasks) {
  for (const std::int64_t classes : {1, 2, 5, 10}) {
    const auto batch = make_batch(classes, "sampled" + std::to_string(classes));
    for (const auto& spec : enumeration::all_specs()) {
      SCOPED_TRACE(enumeration::describe(spec) + ", " + std::to_string(classes) + " classes");
      const auto u = draws(batch.z.sizes(), "sampled.mask");
      expect_enumeration(batch, sample_mask(batch.y, u, spec), spec);
      // Masks that leave out annotated classes do not occur in training, but the formulas hold for them.
      if (classes == 5) expect_enumeration(batch, (u > 0.5).to(at::kDouble), spec);
      if (HasFailure()) return;
    }
  }
}

TEST(Exact, EqualsEnumerationOverMasksToo) {
  for (const std::int64_t classes : {1, 3, 5}) {
    const auto batch = make_batch(classes, "fractional" + std::to_string(classes));
    for (auto spec : enumeration::all_specs()) {
      spec.rho = 0.35;
      SCOPED_TRACE(enumeration::describe(spec) + ", " + std::to_string(classes) + " classes");
      expect_enumeration(batch, mask_probability(batch.y, spec), spec);
      if (HasFailure()) return;
    }
    // A different probability for every entry.
    const auto mask = draws(batch.z.sizes(), "own probabilities");
    for (const auto& spec : enumeration::all_specs()) {
      SCOPED_TRACE(enumeration::describe(spec) + ", own probabilities");
      expect_enumeration(batch, mask, spec);
      if (HasFailure()) return;
    }
  }
}

TEST(Exact, LoggedPartsAreTheExpectedRewards) {
  const auto batch = make_batch(4, "logged");
  RewardSpec spec;
  spec.normalisation = Normalisation::docre_count;
  const auto mask = mask_probability(batch.y, spec);
  const auto both = exact_objective(batch.z, batch.k, batch.y, mask, kWeight, spec);
  EXPECT_NEAR(both.loss.item<double>(), -(both.local + kWeight * both.global).item<double>(), 1e-12);
  spec.local = false;
  EXPECT_EQ(exact_objective(batch.z, batch.k, batch.y, mask, kWeight, spec).local.item<double>(), 0);
}

// ---- many classes: the distribution of a sum of independent draws, term by term -------------------------------------

/// P(S = n), S the sum of independent Bernoulli(q_j), j not `left_out`.
Row sum_distribution(const Row& q, std::size_t left_out) {
  Row p{1.0};
  p.reserve(q.size() + 1);
  for (std::size_t j = 0; j < q.size(); ++j) {
    if (j == left_out) continue;
    p.push_back(0);
    for (std::size_t n = p.size() - 1; n > 0; --n) p[n] = p[n] * (1 - q[j]) + p[n - 1] * q[j];
    p[0] *= 1 - q[j];
  }
  return p;
}

/// sum over c in `classes` of coefficient * q_c * E[1 / (1 + s + S_-c)].
double expected_ratio(const Row& q, const std::vector<std::size_t>& classes, double s, double coefficient) {
  double sum = 0;
  for (const auto c : classes) {
    const auto p = sum_distribution(q, c);
    double inverse = 0;
    for (std::size_t n = 0; n < p.size(); ++n) inverse += p[n] / (1 + s + static_cast<double>(n));
    sum += coefficient * q[c] * inverse;
  }
  return sum;
}

/// Largest relative error of value and gradient of exact_objective for one row of `classes` classes whose policy
/// probabilities add up to about `trues`.
struct Accuracy {
  double value = 0;
  double gradient = 0;
};

Accuracy accuracy(std::int64_t classes, double trues, GlobalReward global, Normalisation normalisation,
                  at::ScalarType type) {
  const double mean = trues / static_cast<double>(classes);
  const auto center = std::log(mean / (1 - mean));
  const auto z = draws({1, classes}, "many", center - 0.3, center + 0.3).to(type).requires_grad_();
  const std::vector<std::size_t> chosen{0, 1, 2};
  auto marked = at::zeros({1, classes}, type);
  for (const auto c : chosen) marked[0][static_cast<std::int64_t>(c)] = 1;
  const bool local = normalisation == Normalisation::docre_count;
  RewardSpec spec;
  spec.normalisation = normalisation;
  spec.global = global;
  spec.local = local;
  spec.mask_logprob = false;
  // Local: k = 1 on the chosen classes and 0 elsewhere. Global: the chosen classes are annotated.
  const auto y = local ? at::zeros_like(marked) : marked;
  const auto loss = exact_objective(z, marked, y, at::ones_like(marked), 1, spec).loss;
  loss.backward();
  const auto pi = enumeration::row_of(at::sigmoid(z.detach().to(at::kDouble)), 0);
  const auto value_at = [&](const Row& p) {
    if (!local)
      return expected_ratio(p, chosen, global == GlobalReward::f1 ? 3 : 0, global == GlobalReward::f1 ? 2 : 1);
    Row q;
    double positive = 0;
    for (const double x : p) q.push_back(1 - x);
    for (const auto c : chosen) positive += p[c];
    return positive - expected_ratio(q, chosen, 0, 1);
  };
  Accuracy result;
  const double value = value_at(pi);
  result.value = std::abs(-loss.item<double>() / value - 1);
  for (const std::size_t j : {0, 2, 5, 17}) {
    // The expectation is linear in every single pi_j, so its derivative is a difference.
    auto one = pi;
    auto zero = pi;
    one[j] = 1;
    zero[j] = 0;
    const double reference = (value_at(one) - value_at(zero)) * pi[j] * (1 - pi[j]);
    const double gradient = -z.grad()[0][static_cast<std::int64_t>(j)].item<double>();
    result.gradient = std::max(result.gradient, std::abs(gradient / reference - 1));
  }
  return result;
}

TEST(Exact, QuadratureIsAccurateForManyClasses) {
  for (const std::int64_t classes : {96, 400, 1000}) {
    for (const double share : {0.002, 0.06, 0.5, 0.99}) {
      for (const auto global : {GlobalReward::precision, GlobalReward::f1}) {
        SCOPED_TRACE(::testing::Message() << classes << " classes, share " << share);
        const auto error =
            accuracy(classes, share * static_cast<double>(classes), global, Normalisation::paper_mean, at::kDouble);
        EXPECT_LT(error.value, 1e-10);
        EXPECT_LT(error.gradient, 1e-8);
      }
      SCOPED_TRACE(::testing::Message() << "docre_count, " << classes << " classes, share " << share);
      const auto error = accuracy(classes, share * static_cast<double>(classes), GlobalReward::none,
                                  Normalisation::docre_count, at::kDouble);
      EXPECT_LT(error.value, 1e-9);
      EXPECT_LT(error.gradient, 1e-8);
    }
  }
}

TEST(Exact, SinglePrecisionIsGoodEnoughToTrain) {
  for (const double trues : {3.0, 60.0, 700.0}) {
    const auto error = accuracy(1000, trues, GlobalReward::precision, Normalisation::paper_mean, at::kFloat);
    EXPECT_LT(error.value, 2e-4) << trues << " expected TRUE";
    EXPECT_LT(error.gradient, 2e-3) << trues << " expected TRUE";
  }
}

TEST(Exact, FiniteForSaturatedPolicies) {
  for (const auto& spec : enumeration::all_specs()) {
    const auto z = at::tensor({80.F, -80.F, 80.F, -80.F, 0.F, 80.F}).view({2, 3}).requires_grad_();
    const auto y = at::tensor({1.F, 0.F, -1.F, 0.F, 0.F, 1.F}).view({2, 3});
    const auto loss = exact_objective(z, critic_value(z, y), y, mask_probability(y, spec), 10, spec).loss;
    EXPECT_TRUE(at::isfinite(loss).item<bool>()) << enumeration::describe(spec);
    loss.backward();
    EXPECT_TRUE(at::isfinite(z.grad()).all().item<bool>()) << enumeration::describe(spec);
  }
}

}  // namespace

}  // namespace mlpac
