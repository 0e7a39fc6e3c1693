// Losses that leave entries out or judge them by a prior: what they select, and that nothing else moves.
#include <gtest/gtest.h>

#include "enumeration.h"
#include "losses/assume_negative.h"
#include "losses/csl.h"
#include "losses/epr.h"
#include "losses/nnpu.h"
#include "losses/pairwise.h"
#include "losses/role.h"
#include "losses/ssr_pu.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

using enumeration::draws;

at::Tensor labels() { return at::tensor({1., 0., 0., -1., 0., 0., 1., 0., 0., -1., 0., 0.}).view({3, 4}); }

LossInput make_input(const at::Tensor& z, const at::Tensor& y) { return {z.clone().requires_grad_(), y, {}, {}}; }

at::Tensor touched(const at::Tensor& loss, const LossInput& input) {
  loss.backward();
  return input.z.grad() != 0;
}

TEST(PartialAsl, IgnoredEntriesHaveNoGradient) {
  for (const auto mode : {PartialMode::ignore, PartialMode::ignore_normalised}) {
    const auto input = make_input(draws({3, 4}, "pasl.z", -2, 2), labels());
    EXPECT_TRUE(at::equal(touched(p_asl(input, {.mode = mode}), input), labels() != 0));
  }
  const auto input = make_input(draws({3, 4}, "pasl.z", -2, 2), labels());
  EXPECT_TRUE(touched(p_asl(input), input).all().item<bool>());
}

TEST(PartialAsl, RowsWithFewKnownEntriesCountMore) {
  auto y = at::zeros({2, 3}, at::kDouble);
  y[0][0] = 1;
  y[1].fill_(-1);
  y[1][0] = 1;
  const auto input = make_input(at::zeros({2, 3}, at::kDouble), y);
  p_asl(input, {.mode = PartialMode::ignore_normalised, .reduction = Reduction::sum}).backward();
  EXPECT_NEAR(input.z.grad()[0][0].item<double>(), -0.5 * (1 + 1.0 / 2), 1e-12);
  EXPECT_NEAR(input.z.grad()[1][0].item<double>(), -0.5 * (1 + 1.0 / 4), 1e-12);
}

TEST(Csl, LeavesOutTheLikeliestUnknownEntriesOfTheBatch) {
  auto z = at::arange(12, at::kDouble).view({3, 4}) / 4;
  CslSpec spec;
  spec.top = 1;  // three in the batch, wherever they are
  auto keep = at::ones({3, 4}, at::kBool);
  for (const int column : {0, 2, 3}) keep[2][column] = false;
  const auto input = make_input(z, labels());
  EXPECT_TRUE(at::equal(selected(input, spec), keep));
  EXPECT_TRUE(at::equal(touched(csl(input, spec), input), keep));
  spec.top = 100;  // never an annotated entry
  EXPECT_TRUE(at::equal(selected(input, spec), labels() != 0));
  spec.top = 0;
  EXPECT_TRUE(selected(input, spec).all().item<bool>());
}

TEST(Csl, LeavesOutUnknownEntriesOfFrequentClasses) {
  CslSpec spec;
  spec.top = 0;
  spec.prior = at::tensor({0.6, 0.5, 0.4, 0.9});
  const auto input = make_input(draws({3, 4}, "csl.z", -2, 2), labels());
  auto keep = at::ones({3, 4}, at::kBool);
  keep.select(1, 0).fill_(false);
  keep.select(1, 3).fill_(false);
  EXPECT_TRUE(at::equal(selected(input, spec), keep | (labels() != 0)));
}

TEST(Csl, RunningPriorIsTheMeanOfEverythingSeen) {
  RunningPrior prior(2);
  prior.add(at::tensor({0.2, 0.4, 0.6, 0.8}).view({2, 2}));
  prior.add(at::tensor({1.0, 0.0}).view({1, 2}));
  EXPECT_TRUE(at::allclose(prior.mean(), at::tensor({0.6, 0.4}, at::kDouble)));
}

TEST(AssumeNegative, IgnoringKeepsOnlyWhatIsKnown) {
  const auto input = make_input(draws({3, 4}, "iu.z", -2, 2), labels());
  EXPECT_TRUE(at::equal(touched(assume_negative(input, {.unknown_weight = 0}), input), labels() != 0));
}

TEST(Epr, WithAsManyPositivesAsExpectedOnlyAnnotationsMove) {
  const auto z = at::zeros({3, 4}, at::kDouble);  // two positives a row
  const auto input = make_input(z, labels());
  EXPECT_TRUE(at::equal(touched(epr(input, {.expected = 2}), input), labels() != 0));
  const auto fewer = make_input(z, at::zeros({3, 4}, at::kDouble));
  epr(fewer, {.expected = 1}).backward();
  EXPECT_TRUE((fewer.z.grad() > 0).all().item<bool>());
}

TEST(Pairwise, EqualsTheSumOverPairs) {
  const auto input = make_input(draws({3, 4}, "pairwise.z", -2, 2), labels());
  const auto p = at::sigmoid(input.z.detach());
  double sum = 0;
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (labels()[row][i].item<double>() > 0 && labels()[row][j].item<double>() <= 0) {
          sum += 1 - p[row][i].item<double>() + p[row][j].item<double>();
        }
      }
    }
  }
  EXPECT_NEAR(pairwise(input, {.reduction = Reduction::sum}).item<double>(), sum, 1e-9);
}

TEST(Role, EachSideIsTaughtByTheOtherAsAConstant) {
  const auto z = draws({3, 4}, "role.z", -2, 2).requires_grad_();
  const auto estimated = draws({3, 4}, "role.g", -2, 2).requires_grad_();
  const auto y = labels().clamp_min(0);
  role(z, estimated, y, {.expected = 1}).loss.backward();
  // Exchanging the two exchanges the gradients.
  const auto a = estimated.detach().clone().requires_grad_();
  const auto b = z.detach().clone().requires_grad_();
  role(a, b, y, {.expected = 1}).loss.backward();
  EXPECT_TRUE(at::allclose(a.grad(), estimated.grad()));
  EXPECT_TRUE(at::allclose(b.grad(), z.grad()));
}

TEST(Pu, BothFormsOfTheUnlabelledSetAgreeOnAverage) {
  // Entries that are not annotated with the prior among them, and all entries with the prior of all: the same risk when
  // the batch has its share of annotations.
  const auto z = draws({40, 1}, "pu.z", -2, 2);
  auto y = at::zeros({40, 1}, at::kDouble);
  y.slice(0, 0, 8).fill_(1);
  const double annotated = 0.2;
  const double prior = 0.5;
  NnPuSpec spec;
  spec.non_negative = false;
  spec.prior = at::full({1}, unlabelled_prior(prior, annotated), at::kDouble);
  const double others = nnpu({z, y, {}, {}}, spec).item<double>();
  spec.prior = at::full({1}, prior, at::kDouble);
  spec.include_positives = true;
  const double all = nnpu({z, y, {}, {}}, spec).item<double>();
  // all = (1 - annotated) others + annotated E_P l(f, +1), the part of the annotated entries themselves.
  const double own = at::sigmoid(-z.slice(0, 0, 8)).mean().item<double>();
  EXPECT_NEAR(all, (1 - annotated) * others + annotated * own, 1e-9);
}

TEST(Pu, TheCorrectionReportsOneThingAndMinimisesAnother) {
  // Unlabelled entries far below annotated ones: the negative risk is negative.
  const auto z = at::tensor({4., 4., -6., -6., -6.}).view({5, 1}).requires_grad_();
  const auto y = at::tensor({1., 1., 0., 0., 0.}).view({5, 1});
  NnPuSpec spec;
  spec.prior = at::full({1}, 0.5, at::kDouble);
  spec.gamma = 0.5;
  const auto parts = nnpu_parts({z, y, {}, {}}, spec);
  ASSERT_LT(parts.risk.negative.item<double>(), 0);
  EXPECT_NEAR(parts.minimised.item<double>(), -0.5 * parts.risk.negative.item<double>(), 1e-12);
  EXPECT_NEAR(parts.reported.item<double>(), parts.risk.positive.item<double>(), 1e-12);
  const auto loss = nnpu({z, y, {}, {}}, spec);
  EXPECT_NEAR(loss.item<double>(), parts.reported.item<double>(), 1e-12);
  loss.backward();
  EXPECT_TRUE((z.grad().slice(0, 2) < 0).all().item<bool>()) << "unlabelled entries are led back up";
}

TEST(Pu, SeparatelyDrawnPositivesAloneArePositives) {
  // Two rows drawn as positives, three from all rows, one of which happens to be annotated.
  const auto y = at::tensor({1., 0., 0., 1., 1., 0., 0., 0., 0., 0.}).view({5, 2});
  const auto z = draws({5, 2}, "drawn.z", -2, 2);
  const auto sets = pu_sets({z, y, {}, {}, 2}, true);
  EXPECT_TRUE(at::equal(sets.positive, at::tensor({1., 0., 0., 1., 0., 0., 0., 0., 0., 0.}).view({5, 2})));
  EXPECT_TRUE(at::equal(sets.unlabelled, at::tensor({0., 0., 0., 0., 1., 1., 1., 1., 1., 1.}).view({5, 2})));
  const auto others = pu_sets({z, y, {}, {}, 2}, false);
  EXPECT_EQ(others.unlabelled[2][0].item<double>(), 0);
}

TEST(SsrPu, WithoutMissingPositivesShiftedAndNaiveRiskAgree) {
  SsrPuSpec spec;
  spec.prior = at::full({4}, 0.25, at::kDouble);
  spec.annotated = spec.prior;  // everything is annotated
  const auto z = draws({3, 4}, "ssr.z", -2, 2);
  const double shifted = ssr_pu({z, labels(), {}, {}}, spec).item<double>();
  spec.risk = SsrRisk::pn;
  EXPECT_NEAR(ssr_pu({z, labels(), {}, {}}, spec).item<double>(), shifted, 1e-9);
}

}  // namespace

}  // namespace mlpac
