// P3M: risk and mixup in plain loops, numerical gradients, and the parts that options switch.
#include "losses/p3m.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "enumeration.h"
#include "nn/cosine.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

using enumeration::draws;

constexpr std::int64_t kRows = 6;
constexpr std::int64_t kClasses = 3;

at::Tensor some_labels() {
  auto y = at::zeros({kRows, kClasses}, at::kDouble);
  y[0][0] = y[1][0] = y[2][1] = 1;  // the last class has none
  y[3][0] = -1;
  return y;
}

P3mRiskSpec spec_of(const std::vector<double>& prior, const std::vector<double>& annotated) {
  return {torch::tensor(prior, at::kDouble), torch::tensor(annotated, at::kDouble)};
}

/// Mean of one column over rows that are or are not annotated.
double column_mean(const at::Tensor& values, const at::Tensor& y, std::int64_t c, bool positive) {
  double sum = 0;
  double count = 0;
  for (std::int64_t b = 0; b < kRows; ++b) {
    if ((y[b][c].item<double>() > 0) != positive) continue;
    sum += values[b][c].item<double>();
    count += 1;
  }
  return count == 0 ? 0 : sum / count;
}

TEST(P3mRisk, IsTheFormulaOfThePaper) {
  const auto y = some_labels();
  const auto z = draws({kRows, kClasses}, "risk.z", -3, 3);
  const auto up = (1 + (-z).exp()).log();
  const auto down = (1 + z.exp()).log();
  const std::vector<double> prior{0.5, 0.3, 0.1};
  const std::vector<double> annotated{0.2, 0.3, 0.05};
  for (const double beta : {0.0, 100.0}) {  // no class and every class is over-fitted
    auto spec = spec_of(prior, annotated);
    spec.beta = beta;
    spec.gamma = 0.7;
    const auto loss = p3m_risks(z, y, spec);
    for (std::int64_t c = 0; c < kClasses; ++c) {
      const double pi = prior[static_cast<std::size_t>(c)];
      const double pi_l = annotated[static_cast<std::size_t>(c)];
      const double pi_u = (pi - pi_l) / (1 - pi_l);
      const double plus = pi * std::sqrt((1 - pi) / pi) * column_mean(up, y, c, true);
      const double minus =
          (1 - pi) / (1 - pi_u) * (column_mean(down, y, c, false) - pi_u * column_mean(down, y, c, true));
      EXPECT_NEAR(loss[c].item<double>(), minus >= beta ? plus + minus : -0.7 * minus, 1e-12) << c;
    }
  }
}

TEST(P3mRisk, ExtremePriorsAreFinite) {
  const auto y = at::ones({kRows, kClasses}, at::kDouble);
  for (const auto& positive : {y, at::zeros_like(y)}) {
    auto z = draws({kRows, kClasses}, "risk.extreme", -60, 60).requires_grad_();
    const auto loss = p3m_risks(z, positive, spec_of({0, 1, 1}, {0, 0, 1})).sum();
    loss.backward();
    EXPECT_TRUE(at::isfinite(loss).item<bool>());
    EXPECT_TRUE(at::isfinite(z.grad()).all().item<bool>());
  }
}

TEST(P3m, NumericalGradients) {
  const auto y = some_labels();
  auto z = draws({kRows, kClasses}, "p3m.z", -3, 3).requires_grad_();
  const auto spec = spec_of({0.4, 0.3, 0.1}, {0.2, 0.1, 0.1});
  const auto other = draws({kRows, kClasses}, "p3m.other", -3, 3);
  const auto total = [&](const at::Tensor& at) {
    return p3m_risks(at, y, spec).sum() + 0.3 * p3m_mixup(at, other, y, 0.4);
  };
  total(z).backward();
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < z.numel(); ++i) {
    const auto moved = [&](double by) {
      auto copy = z.detach().clone();
      copy.view(-1)[i] += by;
      return total(copy).item<double>();
    };
    EXPECT_NEAR(z.grad().view(-1)[i].item<double>(), (moved(kStep) - moved(-kStep)) / (2 * kStep), 1e-7);
  }
}

TEST(P3m, MixupIsCrossEntropyOfMixedEntries) {
  const auto y = some_labels();
  const auto z = draws({kRows, kClasses}, "mixup.z", -3, 3);
  const auto none = draws({1, kClasses}, "mixup.none", -3, 3);
  double expected = 0;
  for (std::int64_t c = 0; c < kClasses; ++c) {
    auto terms = at::zeros_like(z);
    for (std::int64_t b = 0; b < kRows; ++b) {
      const double mixed = 0.3 * z[b][c].item<double>() + 0.7 * none[0][c].item<double>();
      const double p = 1 / (1 + std::exp(-mixed));
      terms[b][c] = -0.3 * std::log(p) - 0.7 * std::log(1 - p);
    }
    expected += column_mean(terms, y, c, true);
  }
  EXPECT_NEAR(p3m_mixup(z, none, y, 0.3).item<double>(), expected, 1e-12);
}

TEST(P3m, PartnersAreRowsWithoutTheClass) {
  const auto y = some_labels();
  std::set<std::int64_t> seen;
  for (int i = 0; i < 50; ++i) {
    const auto partners = p3m_partners(y, draws({kRows, kClasses}, "partners" + std::to_string(i)).to(at::kFloat));
    EXPECT_EQ(y.gather(0, partners).gt(0).sum().item<std::int64_t>(), 0);
    for (std::int64_t b = 0; b < kRows; ++b) seen.insert(partners[b][0].item<std::int64_t>());
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{2, 3, 4, 5})) << "each of them is drawn";
  const auto all = p3m_partners(at::ones({2, 1}), at::zeros({2, 1}));
  EXPECT_TRUE(((all >= 0) & (all < 2)).all().item<bool>());
}

TEST(Cosine, MixedEmbeddingsAreMixedLogOdds) {
  const auto rows = draws({4, 5}, "cosine.rows", -1, 1);
  const auto classes = draws({3, 5}, "cosine.classes", -1, 1);
  const auto unit = [](const at::Tensor& x) { return x / x.norm(2, {1}, true); };
  const auto mixed = 0.3 * unit(rows) + 0.7 * unit(classes.slice(0, 0, 1));
  const auto direct = cosine_log_odds(at::mm(mixed, unit(classes).t()), 10);
  const auto ours = 0.3 * cosine_log_odds(cosines(rows, classes), 10) +
                    0.7 * cosine_log_odds(cosines(classes.slice(0, 0, 1), classes), 10);
  EXPECT_TRUE(at::allclose(direct, ours));
  EXPECT_LE(cosine_log_odds(cosines(rows, classes), 10).abs().max().item<double>(), 20);
}

TEST(P3m, EveryPartChangesTheModelAndTrains) {
  const tiny::Settings settings{{"method", "p3m"}, {"ratio", "0.5"}};
  const auto run = [&](tiny::Settings more) {
    more.insert(more.begin(), settings.begin(), settings.end());
    return tiny::run(more).weights;
  };
  const auto plain = run({});
  for (const tiny::Settings& change :
       {tiny::Settings{{"augmentation", "off"}}, tiny::Settings{{"augmentation", "all"}},
        tiny::Settings{{"mixup", "off"}}, tiny::Settings{{"mixup", "rows"}}, tiny::Settings{{"mixup-weight", "1"}},
        tiny::Settings{{"mixup-alpha", "0.2"}}, tiny::Settings{{"prior", "multiple:3"}},
        tiny::Settings{{"cosine-scale", "5"}}}) {
    const auto other = run(change);
    EXPECT_TRUE(tiny::finite(other));
    EXPECT_FALSE(tiny::equal(plain, other)) << change.front().first;
  }
  EXPECT_TRUE(tiny::equal(run({{"mixup", "off"}}), run({{"mixup-weight", "0"}})));
}

}  // namespace

}  // namespace mlpac
