// Supervised losses: closed forms, limits where two losses meet, and a contract that every entry of the table keeps.
#include "mlpac/losses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "enumeration.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "losses/pos_weight.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

using enumeration::draws;

LossInput make_input(const at::Tensor& z, const at::Tensor& y) {
  return {z, y, batch_sums(y), draws(z.sizes(), "losses.draws").to(z.dtype())};
}

LossInput random_input() {
  auto y = at::zeros({4, 7}, at::kDouble);
  const auto u = draws({4, 7}, "losses.y");
  y.masked_fill_(u < 0.2, 1).masked_fill_(u > 0.85, -1);
  return make_input(draws({4, 7}, "losses.z", -3, 3), y);
}

double value(const at::Tensor& loss) { return loss.item<double>(); }

/// Sums of -log p over positives and of -log(1 - p) over the rest.
struct Terms {
  double positive = 0;
  double negative = 0;
};
Terms closed_form(const LossInput& input) {
  const auto p = at::sigmoid(input.z);
  const auto annotated = (input.y > 0).to(at::kDouble);
  return {-(annotated * p.log()).sum().item<double>(), -((1 - annotated) * (1 - p).log()).sum().item<double>()};
}

TEST(Losses, ClosedForms) {
  const auto input = random_input();
  const auto [positive, negative] = closed_form(input);
  const double n = (input.y > 0).sum().item<double>();
  ASSERT_GT(n, 0);
  EXPECT_NEAR(value(bce(input)), (positive + negative) / 4, 1e-9);
  EXPECT_NEAR(value(bce(input, {.reduction = Reduction::sum})), positive + negative, 1e-9);
  EXPECT_NEAR(value(pos_weight(input)), ((28 - n) / n * positive + negative) / 4, 1e-9);
  EXPECT_NEAR(value(pos_weight(input, {.rule = PositiveWeight::share})), (28 / n * positive + negative) / 4, 1e-9);
  EXPECT_NEAR(value(pos_weight(input, {.cap = 1.5})), (1.5 * positive + negative) / 4, 1e-9);

  const double rate = 2 * n / (28 - n);
  const auto kept = (input.draws >= 1 - rate) | (input.y < 0);
  const auto others = (input.y <= 0) & kept;
  const double some = -((1 - at::sigmoid(input.z)).log() * others).sum().item<double>();
  EXPECT_NEAR(value(neg_weight(input, {.negatives = 2})), (positive + some) / 4, 1e-9);
}

TEST(Losses, LimitsAreBinaryCrossEntropy) {
  const auto input = random_input();
  for (const auto reduction : {Reduction::mean, Reduction::sum}) {
    const double expected = value(bce(input, {.reduction = reduction}));
    const PosWeightSpec one{.rule = PositiveWeight::fixed, .weight = 1, .reduction = reduction};
    EXPECT_NEAR(value(pos_weight(input, one)), expected, 1e-10);
    EXPECT_NEAR(value(neg_weight(input, {.negatives = 1e9, .reduction = reduction})), expected, 1e-10);
    const NegWeightSpec all{.sampling = NegativeSampling::rate, .negatives = 1, .reduction = reduction};
    EXPECT_NEAR(value(neg_weight(input, all)), expected, 1e-10);
  }
}

TEST(Losses, RateSamplingStartsAboveTenEntriesPerPositive) {
  auto y = at::zeros({2, 10}, at::kDouble);
  y[0][0] = 1;
  const auto input = make_input(draws({2, 10}, "rate.z", -2, 2), y);
  const NegWeightSpec spec{.sampling = NegativeSampling::rate, .negatives = 0.2};
  EXPECT_LT(value(neg_weight(input, spec)), value(bce(input)));
  y[1][0] = 1;  // 20 entries, 2 positives: no longer more than ten times as many
  const auto dense = make_input(input.z, y);
  EXPECT_NEAR(value(neg_weight(dense, spec)), value(bce(dense)), 1e-10);
}

TEST(Losses, KnownNegativesAreAlwaysKept) {
  const auto y = at::full({2, 3}, -1.0, at::kDouble);
  const auto input = make_input(draws({2, 3}, "known.z", -2, 2), y);
  EXPECT_NEAR(value(neg_weight(input)), value(bce(input)), 1e-10) << "although nothing is positive";
}

TEST(Losses, SumsCountEntries) {
  const auto sums = batch_sums(at::tensor({1.F, 0.F, -1.F, 1.F, 0.F, 0.F}).view({2, 3}));
  EXPECT_EQ(sums.positives.item<double>(), 2);
  EXPECT_EQ(sums.others.item<double>(), 4);
}

// Whatever the batch looks like: one finite number, a finite gradient of the right shape, no input changed.
TEST(Losses, ContractOfTheTable) {
  struct Case {
    const char* name;
    at::Tensor z;
    at::Tensor y;
  };
  const auto far = at::tensor({80.F, -80.F, 80.F, -80.F, 0.F, 80.F}).view({2, 3});
  const std::vector<Case> cases{
      {"no positives", draws({3, 4}, "contract", -2, 2).to(at::kFloat), at::zeros({3, 4})},
      {"all positive", draws({3, 4}, "contract", -2, 2).to(at::kFloat), at::ones({3, 4})},
      {"one row", draws({1, 5}, "contract", -2, 2).to(at::kFloat), at::tensor({0.F, 1.F, 0.F, -1.F, 0.F}).view({1, 5})},
      {"one class", draws({4, 1}, "contract", -2, 2).to(at::kFloat), at::tensor({0.F, 1.F, 0.F, -1.F}).view({4, 1})},
      {"extreme logits", far, at::tensor({0.F, 1.F, 1.F, 0.F, 1.F, -1.F}).view({2, 3})},
  };
  for (const auto& entry : losses()) {
    EXPECT_EQ(find_loss(entry.name).create, entry.create);
    EXPECT_FALSE(entry.summary.empty());
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(entry.name) + ", " + c.name);
      const auto count = [&](const at::Tensor& mask) {
        const auto sums = mask.sum(0).to(at::kLong);
        return std::vector<std::int64_t>(sums.data_ptr<std::int64_t>(), sums.data_ptr<std::int64_t>() + sums.numel());
      };
      const auto positives = count(c.y > 0);
      const auto negatives = count(c.y < 0);
      const Options options;
      const LossContext context{options, c.y.size(0), positives, negatives};
      std::vector<Loss> all{entry.create(context)};
      if (entry.trials != nullptr) {
        for (auto& trial : entry.trials(context)) all.push_back(std::move(trial.loss));
      }
      for (const auto& one : all) {
        const auto z = c.z.clone().requires_grad_();
        const auto y = c.y.clone();
        // What an entry does not declare it must not need.
        LossInput input{z, y, {}, {}};
        if (entry.needs_sums) input.sums = batch_sums(y);
        if (entry.needs_draws) input.draws = draws(z.sizes(), "contract.draws").to(at::kFloat);
        const auto loss = one(input);
        EXPECT_EQ(loss.dim(), 0);
        EXPECT_TRUE(at::isfinite(loss).item<bool>());
        loss.backward();
        EXPECT_EQ(z.grad().sizes(), c.z.sizes());
        EXPECT_TRUE(at::isfinite(z.grad()).all().item<bool>());
        EXPECT_TRUE(at::equal(z.detach(), c.z) && at::equal(y, c.y));
        // Annotated entries are pulled up, the others never are.
        EXPECT_FALSE(((z.grad() > 0) & (y > 0)).any().item<bool>());
        EXPECT_FALSE(((z.grad() < 0) & (y <= 0)).any().item<bool>());
      }
    }
  }
  EXPECT_THROW(find_loss("bcee"), UsageError);
}

}  // namespace

}  // namespace mlpac
