// With the defaults, training ends neither in "never TRUE" nor in "always TRUE", however few annotations there are.
#include <gtest/gtest.h>

#include <ostream>

#include "tiny_problem.h"

namespace mlpac {
namespace {

struct Case {
  std::int32_t classes;
  std::int64_t rows;
  const char* ratio;
  const char* estimator;
};
void PrintTo(const Case& item, std::ostream* out) {
  *out << item.classes << " classes, " << item.ratio << ", " << item.estimator;
}

class NoDying : public ::testing::TestWithParam<Case> {};

TEST_P(NoDying, SomethingIsTrueAndSomethingIsFalse) {
  const auto& item = GetParam();
  const auto train_data = tiny::data(0, item.rows, item.classes);
  const auto test = tiny::data(1, 300, item.classes);
  Options options;  // the defaults, on a network that is quick to train
  for (const auto& [name, value] : tiny::Settings{{"ratio", item.ratio},
                                                  {"estimator", item.estimator},
                                                  {"samples", "10"},
                                                  {"widths", "16"},
                                                  {"device", "cpu"},
                                                  {"threads", "1"}}) {
    options.set(name, value);
  }
  const auto report = train(options, train_data, nullptr);
  SCOPED_TRACE(report.result.at("selection").dump());
  const auto predictions = report.model->predict(test);
  std::int64_t predicted = 0;
  for (const auto decision : predictions.decisions) predicted += decision;
  const auto entries = static_cast<std::int64_t>(predictions.decisions.size());
  const auto positives = test.labels.count(kAnnotated);
  EXPECT_GT(predicted, positives / 20) << "of " << positives << " positives";
  EXPECT_LT(predicted, positives + 9 * (entries - positives) / 10) << "of " << entries << " entries";
}

TEST(NoRowsSetAside, LeaveTheThresholdWhereItIs) {
  const auto test = tiny::data(1, 300);
  const auto run = tiny::run({{"ratio", "0.5"}, {"validation", "0"}, {"selection", "last"}, {"threshold", "auto"}},
                             tiny::data(), &test);
  EXPECT_EQ(run.report.result.at("selection").at("threshold"), 0.5);
  EXPECT_GT(run.report.result.at("test").at("recall").get<double>(), 0);
}

INSTANTIATE_TEST_SUITE_P(Defaults, NoDying,
                         ::testing::Values(Case{1, 2000, "0.02", "exact"}, Case{1, 2000, "0.02", "reinforce"},
                                           Case{3, 1000, "0.02", "exact"}, Case{10, 1000, "0.02", "exact"},
                                           Case{10, 1000, "0.02", "reinforce"}, Case{10, 1000, "0.1", "exact"},
                                           Case{100, 500, "0.02", "exact"}, Case{1000, 300, "0.02", "exact"},
                                           Case{1000, 300, "0.02", "reinforce"}));

}  // namespace
}  // namespace mlpac
