// Each ablation removes exactly one part: the options differ in nothing else, and neither does what happens before that
// part comes into play.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "methods/method.h"
#include "mlpac/error.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

using tiny::equal;
using tiny::Run;

std::map<std::string, std::string> all_options(const Options& options) {
  std::map<std::string, std::string> values;
  for (const auto& entry : option_table()) values.emplace(entry.name, options.text(entry.name));
  return values;
}

Options resolved(std::string_view ablation) {
  Options options;
  options.set("ablation", ablation);
  apply_defaults(options);
  return options;
}

Run run_of(std::string_view ablation) {
  // Enhancement at low thresholds, so that there is something to be removed within a few epochs.
  return tiny::run({{"ablation", std::string(ablation)},
                    {"ratio", "0.5"},
                    {"epochs", "4"},
                    {"selection", "last"},
                    {"pretrain-candidates", "1"},
                    {"gamma-policy", "0.3"},
                    {"gamma-critic", "0.3"}});
}

const Run& complete_run() {
  static const Run run = run_of("none");
  return run;
}

TEST(AblationTable, StartsWithTheCompleteMethod) {
  ASSERT_FALSE(ablations().empty());
  EXPECT_EQ(ablations()[0].name, "none");
  EXPECT_TRUE(ablations()[0].values.empty());
  std::set<std::string_view> names;
  for (const auto& entry : ablations()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(find_ablation(entry.name).name, entry.name);
  }
  // The rows of the paper's table.
  for (const char* name :
       {"no-local", "no-global", "precision", "f1", "no-iterative", "no-enhancement", "no-action-sampling"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(AblationTable, EachChangesExactlyItsOptions) {
  const auto base = all_options(resolved("none"));
  for (const auto& entry : ablations()) {
    SCOPED_TRACE(entry.name);
    std::set<std::string> listed{"ablation"};
    for (const auto& [name, value] : entry.values) listed.emplace(name);
    if (entry.name == "none") listed.clear();
    const auto options = resolved(entry.name);
    std::set<std::string> changed;
    for (const auto& [name, value] : all_options(options)) {
      if (value != base.at(name)) changed.insert(name);
    }
    EXPECT_EQ(changed, listed);
    for (const auto& [name, value] : entry.values) {
      EXPECT_EQ(options.text(name), value);
      EXPECT_EQ(options.source(name), OptionSource::ablation);
    }
  }
}

TEST(AblationTable, ContradictingTheUserIsRefused) {
  for (const auto source : {OptionSource::config, OptionSource::command_line}) {
    Options options;
    options.set("ablation", "no-action-sampling", source);
    options.set("rho", "0.7", source);
    EXPECT_THROW(apply_defaults(options), UsageError);
    options.set("rho", "1", source);
    EXPECT_NO_THROW(apply_defaults(options));
  }
}

class AblationRun : public ::testing::TestWithParam<std::string_view> {};

TEST_P(AblationRun, DiffersWhereItShouldAndNowhereElse) {
  const auto run = run_of(GetParam());
  const auto& base = complete_run();
  EXPECT_TRUE(tiny::finite(run.weights));
  EXPECT_EQ(run.report.result.at("ablation"), GetParam());
  // Pre-training does not know of any of this.
  ASSERT_EQ(run.phase("pretrain").size(), 2U);
  EXPECT_EQ(run.phase("pretrain"), base.phase("pretrain"));
  EXPECT_FALSE(equal(run.weights, base.weights));
  const auto losses = tiny::values(run.phase("mlpac"), "critic_loss");
  const auto expected = tiny::values(base.phase("mlpac"), "critic_loss");
  if (GetParam() == "no-iterative") {
    EXPECT_TRUE(losses.empty());
    EXPECT_FALSE(equal(run.critic, base.critic));
    return;
  }
  ASSERT_EQ(losses.size(), expected.size());
  EXPECT_EQ(losses[0], expected[0]);  // before the first enhancement the critic does not know of the policy
  const bool enhancing = GetParam() != "no-enhancement";
  EXPECT_EQ(tiny::values(run.metrics, "enhanced").empty(), !enhancing);
  if (!enhancing) {
    EXPECT_NE(losses[1], expected[1]);
    EXPECT_FALSE(equal(run.critic, base.critic));
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const auto& entry : ablations()) {
    if (entry.name != "none") result.push_back(entry.name);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Ablations, AblationRun, ::testing::ValuesIn(names()), [](const auto& item) {
  std::string name(item.param);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Ablations, EachReallyHasItsOwnOutcome) {
  // Two ablations with the same result would mean that one of them does nothing of its own.
  std::vector<std::pair<std::string_view, tiny::Weights>> seen;
  for (const auto name : names()) {
    const auto run = run_of(name);
    for (const auto& [other, weights] : seen) EXPECT_FALSE(equal(run.weights, weights)) << name << " = " << other;
    seen.emplace_back(name, run.weights);
  }
}

TEST(Ablations, WithoutIterationTheCriticIsThePretrainedNetwork) {
  const auto run = run_of("no-iterative");
  const auto pretrained = tiny::run({{"method", "pos-weight"}, {"ratio", "0.5"}, {"epochs", "2"}, {"patience", "4"}});
  EXPECT_TRUE(equal(run.critic, pretrained.weights));
}

}  // namespace

}  // namespace mlpac
