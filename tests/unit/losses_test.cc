// Cross entropy and its weighted forms: closed forms, and limits where two losses meet.
#include "mlpac/losses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "enumeration.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "losses/pos_weight.h"
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

TEST(Losses, SumsCountEntriesAndRows) {
  const auto sums = batch_sums(at::tensor({1.F, 0.F, -1.F, 1.F, 0.F, 0.F, 0.F, -1.F, 0.F}).view({3, 3}));
  EXPECT_EQ(sums.positives.item<double>(), 2);
  EXPECT_EQ(sums.others.item<double>(), 7);
  EXPECT_EQ(sums.positive_rows.item<double>(), 2);
  EXPECT_EQ(sums.other_rows.item<double>(), 1);
}

TEST(Losses, RowsInsteadOfEntries) {
  auto y = at::zeros({6, 4}, at::kDouble);
  y[0][1] = 1;
  y[0][2] = 1;
  y[3][0] = 1;
  const auto input = make_input(draws({6, 4}, "rows.z", -2, 2), y);
  const auto [positive, negative] = closed_form(input);
  EXPECT_NEAR(value(pos_weight(input, {.rule = PositiveWeight::rows})), (4.0 / 2 * positive + negative) / 6, 1e-9);
  // Where every row has an annotation there is nothing to make up for.
  y.select(1, 3).fill_(1);
  const auto full = make_input(input.z, y);
  EXPECT_NEAR(value(pos_weight(full, {.rule = PositiveWeight::rows})), value(bce(full)), 1e-10);
}

TEST(Losses, PairsKeepOrDropWholeRows) {
  auto y = at::zeros({40, 5}, at::kDouble);
  y[0][0] = 1;
  y[1][4] = 1;
  y[2][2] = -1;
  auto input = make_input(draws({40, 5}, "pairs.z", -2, 2).requires_grad_(), y);
  const NegWeightSpec spec{.sampling = NegativeSampling::rows, .negatives = 3};
  neg_weight(input, spec).backward();
  const auto touched = input.z.grad() != 0;
  EXPECT_TRUE(touched.slice(0, 0, 2).all().item<bool>()) << "rows with an annotation are complete";
  EXPECT_TRUE(touched[2][2].item<bool>()) << "known negatives are kept";
  const auto rest = touched.slice(0, 3).to(at::kDouble).sum(1);
  EXPECT_TRUE(((rest == 0) | (rest == 5)).all().item<bool>());
  const auto kept = (rest == 5).sum().item<double>();
  EXPECT_EQ(kept, (input.draws.slice(0, 3).select(1, 0) >= 1 - 3 * 2.0 / 38).sum().item<double>());
  EXPECT_NEAR(value(neg_weight(input, {.sampling = NegativeSampling::rows, .negatives = 1e9})), value(bce(input)),
              1e-9);
}

}  // namespace

}  // namespace mlpac
