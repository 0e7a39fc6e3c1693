// The prior of a run: told to the method, written into its result, and the same after an interruption.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "core/signals.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

std::vector<double> prior_of(const nlohmann::json& result) { return result.at("prior").get<std::vector<double>>(); }

TEST(PriorOfARun, IsInTheResult) {
  EXPECT_TRUE(tiny::run({{"method", "negative"}, {"ratio", "0.5"}}).report.result.at("prior").is_null());
  const auto given = tiny::run({{"method", "negative"}, {"ratio", "0.5"}, {"prior", "0.9"}});
  EXPECT_EQ(prior_of(given.report.result), std::vector<double>(5, 0.9));
  const auto truth = prior_of(tiny::run({{"method", "role"}, {"ratio", "0.5"}, {"prior", "true"}}).report.result);
  const auto counted = prior_of(tiny::run({{"method", "role"}, {"ratio", "0.5"}, {"prior", "counting"}}).report.result);
  const auto estimated = prior_of(tiny::run({{"method", "role"}, {"ratio", "0.5"}}).report.result);
  for (std::size_t c = 0; c < 5; ++c) {
    EXPECT_LE(counted[c], truth[c]);
    EXPECT_LE(counted[c], estimated[c]);
  }
  EXPECT_NE(estimated, counted);
}

TEST(PriorOfARun, SurvivesAnInterruptionWhateverTheFileSaysLater) {
  const tiny::Folder folder;
  std::filesystem::create_directories(folder.path());
  const auto file = folder.path() / "priors.txt";
  const auto write = [&](double value) {
    std::ofstream stream(file);
    for (int c = 0; c < 5; ++c) stream << value << '\n';
  };
  const auto options = [&](bool resume) {
    tiny::Settings settings{
        {"method", "p3m"}, {"ratio", "0.5"}, {"prior", file.string()}, {"out", (folder.path() / "run").string()}};
    if (resume) settings.emplace_back("resume", "true");
    return tiny::options(settings);
  };
  write(0.8);
  {
    const StopSignals signals;
    std::raise(SIGTERM);  // stops after the first step
    EXPECT_EQ(train(options(false), tiny::data(), nullptr).signal, SIGTERM);
  }
  write(0.9);
  const auto report = train(options(true), tiny::data(), nullptr);
  EXPECT_EQ(prior_of(report.result), std::vector<double>(5, 0.8));
}

}  // namespace

}  // namespace mlpac
