// Threads that share a list of jobs.
#include "train/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace mlpac {
namespace {

TEST(Workers, EveryJobRunsOnceHoweverManyThreads) {
  for (const std::size_t threads : {1, 2, 5}) {
    Workers workers(threads);
    for (std::size_t jobs = 0; jobs < 40; ++jobs) {
      std::vector<std::atomic<int>> runs(jobs);
      workers.run(jobs, [&](std::size_t i) { ++runs[i]; });
      for (const auto& count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST(Workers, TheFirstFailureByNumberIsReportedAndTheRestStillRuns) {
  Workers workers(3);
  std::atomic<int> done = 0;
  for (int round = 0; round < 20; ++round) {
    done = 0;
    try {
      workers.run(12, [&](std::size_t i) {
        ++done;
        if (i == 4 || i == 9) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "4");
    }
    EXPECT_EQ(done, 12);
  }
}

}  // namespace
}  // namespace mlpac
