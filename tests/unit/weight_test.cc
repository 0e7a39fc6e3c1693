// w, the weight of the global reward: what users may write, and what it means in each epoch.
#include "rl/weight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {

namespace {

using Kind = WeightPlan::Kind;

std::vector<double> over_epochs(std::string_view text, std::int64_t epochs) {
  std::vector<double> values;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) values.push_back(weight_at(parse_weight(text), epoch, epochs));
  return values;
}

TEST(ParseWeight, EveryForm) {
  EXPECT_EQ(parse_weight("auto").kind, Kind::automatic);
  EXPECT_EQ(parse_weight("auto:0.25:4").kind, Kind::automatic);
  const auto constant = parse_weight("10");
  EXPECT_EQ(constant.kind, Kind::constant);
  EXPECT_EQ(constant.values, std::vector<double>{10});
  EXPECT_EQ(parse_weight("0").values, std::vector<double>{0});
  EXPECT_EQ(parse_weight("2.5e-1").values, std::vector<double>{0.25});
  const auto linear = parse_weight("linear:12:10:0.33");
  EXPECT_EQ(linear.kind, Kind::linear);
  EXPECT_EQ(linear.values, (std::vector<double>{12, 10}));
  EXPECT_EQ(linear.share, 0.33);
  EXPECT_EQ(parse_weight("linear:1:2").share, 1);
  const auto list = parse_weight("list:12,11.5,11");
  EXPECT_EQ(list.kind, Kind::list);
  EXPECT_EQ(list.values, (std::vector<double>{12, 11.5, 11}));
  EXPECT_FALSE(list.cyclic);
  EXPECT_TRUE(parse_weight("list:3:cyclic").cyclic);
}

TEST(ParseWeight, EverythingElseIsRefusedWithTheForms) {
  for (const char* text : {"",
                           "x",
                           "-1",
                           "1x",
                           "1:2",
                           "nan",
                           "inf",
                           "automatic",
                           "auto:1",
                           "auto:2:1",
                           "auto:0:1",
                           "auto:1:2:3",
                           "linear",
                           "linear:1",
                           "linear:1:2:",
                           "linear:1:x",
                           "linear:1:2:0",
                           "linear:1:2:1.1",
                           "linear:1:2:0.5:6",
                           "linear:-1:2",
                           "list",
                           "list:",
                           "list:1,",
                           "list:1,,2",
                           "list:1,-2",
                           "list:1:loop",
                           "list:1:cyclic:x",
                           "list:1;2",
                           " 10",
                           "10 ",
                           "list:1, 2"}) {
    try {
      parse_weight(text);
      ADD_FAILURE() << "accepted '" << text << "'";
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("--w: expected auto")) << message;
      EXPECT_NE(message.find(std::string("'") + text + "'"), std::string::npos);
    }
  }
}

TEST(WeightAt, Constant) { EXPECT_EQ(over_epochs("10", 3), (std::vector<double>{10, 10, 10})); }

TEST(WeightAt, LinearReachesItsEndAfterTheShare) {
  EXPECT_EQ(over_epochs("linear:12:10:0.5", 8), (std::vector<double>{12, 11.5, 11, 10.5, 10, 10, 10, 10}));
  EXPECT_EQ(over_epochs("linear:1:5", 4), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(over_epochs("linear:3:7:0.01", 3), (std::vector<double>{3, 7, 7}));  // never a division by nothing
  EXPECT_EQ(over_epochs("linear:3:7", 1), (std::vector<double>{3}));
}

TEST(WeightAt, ListStaysAtItsEndOrStartsAgain) {
  EXPECT_EQ(over_epochs("list:3,2,1", 5), (std::vector<double>{3, 2, 1, 1, 1}));
  EXPECT_EQ(over_epochs("list:3,2,1:cyclic", 5), (std::vector<double>{3, 2, 1, 3, 2}));
  EXPECT_EQ(over_epochs("list:4", 2), (std::vector<double>{4, 4}));
}

TEST(WeightUnit, BalancesAnAnnotationAndAnUnknownEntry) {
  RewardSpec spec;
  spec.rho = 0.4;
  // Section 11 of the specification: coefficient of an unknown entry with a sure critic, times |P|.
  spec.normalisation = Normalisation::paper_mean;
  EXPECT_DOUBLE_EQ(weight_unit(spec, 2, 20), 2 * 0.4 * 2 / 20);
  spec.normalisation = Normalisation::none;
  EXPECT_DOUBLE_EQ(weight_unit(spec, 2, 20), 2 * 0.4 * 2);
  spec.normalisation = Normalisation::docre_count;
  EXPECT_DOUBLE_EQ(weight_unit(spec, 2, 20), 0.4 * 2);
  spec.normalisation = Normalisation::image_means;
  EXPECT_DOUBLE_EQ(weight_unit(spec, 2, 20), 4.0 / 3);
}

TEST(WeightUnit, WeighsAnAnnotationAlikeInARowAndInABatch) {
  RewardSpec row;
  RewardSpec batch;
  batch.global = GlobalReward::batch_recall;
  constexpr double kPerRow = 0.01;  // one of a hundred rows has an annotation
  EXPECT_DOUBLE_EQ(weight_unit(batch, kPerRow, 1) / kPerRow, weight_unit(row, kPerRow, 1));
  EXPECT_DOUBLE_EQ(weight_unit(batch, 2.5, 20) / 2.5, weight_unit(row, 2.5, 20) / 2.5);
  row.entries = 2;
  EXPECT_DOUBLE_EQ(weight_unit(row, 1, 1), 0.5 * weight_unit({}, 1, 1));
}

TEST(WeightUnit, StaysPositiveAtTheEdges) {
  for (const auto& choice : normalisations()) {
    RewardSpec spec;
    spec.normalisation = parse_normalisation(choice.name);
    spec.rho = 0;                                          // no unknown entry enters the local reward
    EXPECT_GT(weight_unit(spec, 0, 1), 0) << choice.name;  // nor is anything annotated
  }
}

TEST(WeightCandidates, AreTheUnitTimesPowersOfTwo) {
  const double unit = weight_unit(RewardSpec(), 1.5, 10);
  const auto values = weight_candidates(parse_weight("auto"), unit, 9);
  ASSERT_EQ(values.size(), 9U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_DOUBLE_EQ(values[i], unit * static_cast<double>(std::int64_t{2} << i));
  }
}

TEST(WeightCandidates, LieBetweenTheGivenEnds) {
  const auto values = weight_candidates(parse_weight("auto:0.25:4"), 100, 5);
  ASSERT_EQ(values.size(), 5U);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], 0.25 * std::pow(2.0, i), 1e-12);
  const auto apart = weight_candidates(parse_weight("auto:0.1:10"), 100, 3);
  ASSERT_EQ(apart.size(), 3U);
  EXPECT_NEAR(apart[1], 1, 1e-12);
  EXPECT_NEAR(apart[2], 10, 1e-12);
}

}  // namespace

}  // namespace mlpac
