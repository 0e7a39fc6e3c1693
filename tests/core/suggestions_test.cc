#include "mlpac/suggestions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mlpac/error.h"
#include "suggest/reliability.h"

namespace mlpac {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Classes whose entries are positive with probability s(slope z + offset), a share of the positives annotated.
struct World {
  std::vector<ScoreCurve> curves;
  std::vector<ScoreCurve> positives;  ///< `annotated` counts all positives
};

World make_world(std::int64_t entries, double share, std::span<const double> offsets, double slope) {
  World world;
  std::mt19937_64 generator(5);
  std::normal_distribution<double> scores(-3, 3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double offset : offsets) {
    ScoreCurve curve;
    ScoreCurve truth;
    for (std::int64_t i = 0; i < entries; ++i) {
      const double z = scores(generator);
      const auto bin = ScoreCurve::bin_of(z);
      const bool positive = uniform(generator) < logistic(slope * z + offset);
      const bool annotated = positive && uniform(generator) < share;
      ++curve.entries[bin];
      ++truth.entries[bin];
      if (annotated) ++curve.annotated[bin];
      if (positive) ++truth.annotated[bin];
    }
    world.curves.push_back(curve);
    world.positives.push_back(truth);
  }
  return world;
}

TEST(Suggestions, BinsOfLogOdds) {
  for (std::size_t bin = 0; bin < static_cast<std::size_t>(ScoreCurve::kBins); ++bin) {
    EXPECT_EQ(ScoreCurve::bin_of(ScoreCurve::centre_of(bin)), bin);
  }
  EXPECT_EQ(ScoreCurve::bin_of(-1e9), 0U);
  EXPECT_EQ(ScoreCurve::bin_of(1e9), static_cast<std::size_t>(ScoreCurve::kBins - 1));
  EXPECT_EQ(ScoreCurve::bin_of(std::nan("")), 0U);
}

TEST(Suggestions, CalibrationFindsTheShareThatIsAnnotated) {
  const std::vector<double> offsets{0, 0.5, -0.5, 1};
  for (const double share : {0.2, 0.5, 0.8}) {
    const auto world = make_world(40'000, share, offsets, 2);
    const Calibration calibration(world.curves);
    EXPECT_NEAR(calibration.annotated(), share, 0.12 * share) << share;
  }
}

TEST(Suggestions, AFrequentLabelThatTheModelCannotTellDoesNotHideHowMuchIsAnnotated) {
  // Half is annotated. Three quarters of the entries have the first label, whose large log-odds mean next to nothing;
  // the second is rare, and its surest entries are right.
  World world = make_world(20'000, 0.5, std::vector<double>{-2}, 3);
  ScoreCurve frequent;
  std::mt19937_64 generator(7);
  std::normal_distribution<double> scores(6, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 20'000; ++i) {
    const double z = scores(generator);
    ++frequent.entries[ScoreCurve::bin_of(z)];
    if (uniform(generator) < 0.5 * logistic(1.2 + 0.3 * (z - 6))) ++frequent.annotated[ScoreCurve::bin_of(z)];
  }
  world.curves.insert(world.curves.begin(), frequent);
  const Calibration calibration(world.curves);
  EXPECT_GT(calibration.annotated(), 0.4);
  EXPECT_LT(calibration.annotated(), 0.55);
  // What little its log-odds say orders its entries: they are not all equally probable.
  EXPECT_GT(calibration.probability(0, 8) - calibration.probability(0, 4), 0.05);
}

TEST(Suggestions, AKnownShareIsTaken) {
  const auto world = make_world(20'000, 0.5, std::vector<double>{0, 0.5}, 2);
  const Calibration known(world.curves, 0.8);
  const Calibration half(world.curves, 0.4);
  EXPECT_EQ(known.annotated(), 0.8);
  // The more is annotated, the fewer of the unknown entries are positive.
  EXPECT_LT(known.probability(0, 3), half.probability(0, 3));
}

TEST(Suggestions, ProbabilitiesAreSharesOfUnknownPositives) {
  const std::vector<double> offsets{0, 1.5, -1.5};
  const auto world = make_world(60'000, 0.5, offsets, 1);
  const Calibration calibration(world.curves);
  for (std::size_t c = 0; c < offsets.size(); ++c) {
    double estimated = 0;
    double missing = 0;
    for (std::size_t bin = 0; bin < world.curves[c].entries.size(); ++bin) {
      const auto unknown = world.curves[c].entries[bin] - world.curves[c].annotated[bin];
      const auto hidden = world.positives[c].annotated[bin] - world.curves[c].annotated[bin];
      estimated += static_cast<double>(unknown) * calibration.probability(c, ScoreCurve::centre_of(bin));
      missing += static_cast<double>(hidden);
      if (unknown > 400) {
        EXPECT_NEAR(calibration.probability(c, ScoreCurve::centre_of(bin)),
                    static_cast<double>(hidden) / static_cast<double>(unknown), 0.1)
            << "class " << c << ", log-odds " << ScoreCurve::centre_of(bin);
      }
    }
    EXPECT_NEAR(estimated / missing, 1, 0.15) << "class " << c;
  }
}

TEST(Suggestions, ProbabilitiesRiseWithTheLogOdds) {
  const std::vector<double> offsets{0, 1};
  const Calibration calibration(make_world(3'000, 0.3, offsets, 1).curves);
  for (double z = -30; z < 30; z += 0.5) {
    EXPECT_LE(calibration.probability(0, z), calibration.probability(0, z + 0.5));
    EXPECT_GE(calibration.probability(0, z), 0);
    EXPECT_LE(calibration.probability(0, z), 1);
    EXPECT_LE(calibration.probability(0, z), calibration.positive(0, z)) << "unknown entries are positive less often";
  }
}

TEST(Suggestions, AClassWithoutAnnotationsFollowsTheOthers) {
  const std::vector<double> offsets{0, 0.2};
  auto curves = make_world(20'000, 0.5, offsets, 1).curves;
  curves.emplace_back();
  const Calibration calibration(curves);
  EXPECT_NEAR(calibration.positive(2, 1), calibration.positive(0, 1), 0.1);
  curves.assign(2, ScoreCurve());
  curves[0].entries[3] = 10;
  EXPECT_THROW(Calibration{curves}, Error);
}

/// The same world as two models see it: one half of the entries by a model that is much less sure.
std::vector<ScoreCurve> two_models(double slope, double offset, std::vector<ScoreCurve>* positives) {
  std::vector<ScoreCurve> models(2);
  if (positives != nullptr) positives->assign(2, {});
  std::mt19937_64 generator(11);
  std::normal_distribution<double> scores(-3, 3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 120'000; ++i) {
    const double z = scores(generator);
    const bool positive = uniform(generator) < logistic(z);
    const auto model = static_cast<std::size_t>(i % 2);
    const auto bin = ScoreCurve::bin_of(model == 0 ? z : slope * z + offset);
    ++models[model].entries[bin];
    models[model].annotated[bin] += positive && uniform(generator) < 0.5 ? 1 : 0;
    if (positives != nullptr) (*positives)[model].annotated[bin] += positive ? 1 : 0;
  }
  return models;
}

TEST(Suggestions, ModelsAreBroughtToOneScale) {
  const double slope = 0.35;
  const double offset = -2;
  std::vector<ScoreCurve> positives;
  const auto models = two_models(slope, offset, &positives);
  const Alignment alignment(models);
  for (double z = -4; z <= 4; z += 1) {
    EXPECT_NEAR(alignment.aligned(0, z), alignment.aligned(1, slope * z + offset), 0.5) << z;
  }
  // Calibrated together, as one class, entries of both are positive as often as is said.
  const auto calibrate = [&](const Alignment& by) {
    std::vector<ScoreCurve> one(1);
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t bin = 0; bin < models[m].entries.size(); ++bin) {
        const auto to = ScoreCurve::bin_of(by.aligned(m, ScoreCurve::centre_of(bin)));
        one[0].entries[to] += models[m].entries[bin];
        one[0].annotated[to] += models[m].annotated[bin];
      }
    }
    return Calibration(one);
  };
  const auto error = [&](const Alignment& by) {
    const auto calibration = calibrate(by);
    double sum = 0;
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t bin = 0; bin < models[m].entries.size(); ++bin) {
        const double p = calibration.positive(0, by.aligned(m, ScoreCurve::centre_of(bin)));
        sum += std::abs(static_cast<double>(positives[m].annotated[bin]) -
                        static_cast<double>(models[m].entries[bin]) * p);
      }
    }
    return sum;
  };
  EXPECT_LT(error(alignment), 0.4 * error(Alignment(2))) << "wrongly placed positives, with and without alignment";
}

TEST(Suggestions, OneModelStaysAsItIs) {
  const auto models = two_models(1, 0, nullptr);
  const Alignment one{std::span<const ScoreCurve>(models).first(1)};
  EXPECT_EQ(one.aligned(0, 1.25), 1.25);
  // A model without annotations follows the others; without any annotation nothing moves.
  std::vector<ScoreCurve> three{models[0], models[1], {}};
  three[2].entries = models[1].entries;
  const Alignment some(three);
  EXPECT_NEAR(some.aligned(2, 2), some.aligned(0, 2), 0.2);
  for (auto& model : three) std::ranges::fill(model.annotated, 0);
  EXPECT_EQ(Alignment(three).aligned(1, -2), -2);
}

TEST(Suggestions, ConfidentThresholdsAreMeansOfAnnotations) {
  std::vector<ScoreCurve> curves(2);
  curves[0].annotated[ScoreCurve::bin_of(0.1)] = 3;
  curves[0].annotated[ScoreCurve::bin_of(4.1)] = 1;
  const auto thresholds = confident_thresholds(curves);
  EXPECT_NEAR(thresholds[0], (3 * logistic(0.125) + logistic(4.125)) / 4, 1e-9);
  EXPECT_EQ(thresholds[1], 1);
}

std::vector<std::vector<Suggestion>> random_rows(std::int64_t rows, std::int32_t labels) {
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> hundredths(0, 99);  // many equal ones
  std::vector<std::vector<Suggestion>> result;
  for (std::int64_t row = 0; row < rows; ++row) {
    result.emplace_back();
    for (std::int32_t label = 0; label < labels; ++label) {
      result.back().push_back({row, label, static_cast<float>(hundredths(generator)) / 100,
                               static_cast<float>(hundredths(generator)) / 100, 0});
    }
  }
  return result;
}

/// Sorts everything, then takes what the budget allows.
std::vector<Suggestion> sorted(const std::vector<std::vector<Suggestion>>& rows, const SuggestionBudget& budget,
                               std::int32_t labels) {
  std::vector<Suggestion> all;
  for (auto row : rows) {
    std::erase_if(row, [&](const Suggestion& s) { return s.probability < budget.min_probability; });
    std::sort(row.begin(), row.end(), ranks_before);
    if (budget.per_row > 0 && std::cmp_greater(row.size(), budget.per_row)) {
      row.resize(static_cast<std::size_t>(budget.per_row));
    }
    all.insert(all.end(), row.begin(), row.end());
  }
  std::sort(all.begin(), all.end(), ranks_before);
  std::vector<std::int64_t> used(static_cast<std::size_t>(labels), 0);
  std::vector<Suggestion> result;
  for (const auto& s : all) {
    if (budget.per_label > 0 && used[static_cast<std::size_t>(s.label)]++ >= budget.per_label) continue;
    if (budget.total == 0 || std::cmp_less(result.size(), budget.total)) result.push_back(s);
  }
  return result;
}

TEST(Suggestions, RankingEqualsSortingEverything) {
  const auto rows = random_rows(300, 7);
  for (const std::int64_t total : {0, 1, 50, 100'000}) {
    for (const std::int64_t per_label : {0, 1, 20}) {
      for (const std::int64_t per_row : {0, 1, 3}) {
        for (const double least : {0.0, 0.9}) {
          const SuggestionBudget budget{total, per_label, per_row, least};
          SuggestionRanker ranker(budget, 7);
          for (auto row : rows) ranker.add_row(row);
          const auto got = ranker.take();
          const auto want = sorted(rows, budget, 7);
          ASSERT_EQ(got.size(), want.size());
          for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i].row, want[i].row) << i;
            ASSERT_EQ(got[i].label, want[i].label) << i;
          }
          EXPECT_TRUE(ranker.take().empty());
        }
      }
    }
  }
}

TEST(Suggestions, PrecisionOfTheFirst) {
  std::vector<Suggestion> ranked;
  for (const float p : {0.9F, 0.8F, 0.5F, 0.2F}) ranked.push_back({0, 0, p, p, p});
  EXPECT_NEAR(estimated_precision(ranked, 2), 0.85, 1e-6);
  EXPECT_NEAR(estimated_precision(ranked, 99), 0.6, 1e-6);
  EXPECT_EQ(estimated_precision({}, 3), 0);
  EXPECT_EQ(count_with_precision(ranked, 0.95), 0U);
  EXPECT_EQ(count_with_precision(ranked, 0.84), 2U);
  EXPECT_EQ(count_with_precision(ranked, 0.59), 4U);
}

TEST(Suggestions, ReliabilityAgreesWithTheTruthItCannotSee) {
  const std::vector<double> offsets{-1, 0.5, 2};
  const auto world = make_world(40'000, 0.4, offsets, 1.2);
  const Calibration calibration(world.curves);
  const auto bins = reliability(world.curves, calibration, world.positives);
  ASSERT_EQ(bins.size(), 10);
  std::int64_t entries = 0;
  for (const auto& bin : bins) {
    entries += bin.entries;
    EXPECT_NEAR(bin.observed, bin.probability, 0.05 + 3 * bin.error);
    EXPECT_NEAR(*bin.truth, bin.probability, 0.1);
  }
  EXPECT_EQ(entries, 120'000);
  EXPECT_FALSE(reliability(world.curves, calibration, {}).front().truth.has_value());
  const auto drawing = reliability_svg(bins, "a < b & c");
  EXPECT_TRUE(drawing.starts_with("<svg "));
  EXPECT_TRUE(drawing.ends_with("</svg>\n"));
  EXPECT_NE(drawing.find("a &lt; b &amp; c"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
