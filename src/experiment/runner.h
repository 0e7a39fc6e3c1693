// Makes the runs that a file of cells lacks, some at a time, each a process of its own.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/file_lock.h"
#include "core/process.h"
#include "experiment/cell_file.h"
#include "experiment/failures.h"
#include "experiment/live_table.h"
#include "experiment/plan.h"

namespace mlpac {

struct RunnerSpec {
  std::string program;
  std::string device = "cpu";
  std::size_t jobs = 1;
  std::size_t threads = 1;        ///< of each run
  std::optional<double> seconds;  ///< end after so long
  std::filesystem::path work;     ///< run folders of unfinished cells
  bool retry = false;
  bool keep_runs = false;
  bool quiet = false;
  double log_seconds = 10;
  std::vector<std::string> extra;  ///< options of every training
  std::string commit;
  /// The kind of the data, and the options that name its files.
  std::function<std::pair<std::string, std::vector<std::string>>(const PlanCell&)> files;
};

struct RunnerOutcome {
  std::size_t made = 0;
  std::size_t failed = 0;
  int signal = 0;
};

class Runner {
 public:
  Runner(const Plan& plan, CellFile& store, FailureFile& failures, RunnerSpec spec);

  /// Makes what is missing of the cells, in their order. SIGINT and SIGTERM reach the runs, which save their state and
  /// are continued the next time.
  RunnerOutcome run(const std::vector<PlanCell>& cells);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    const PlanCell* cell;
    std::filesystem::path folder;
    std::vector<std::string> command;
    std::string data;
    FileLock lock;  ///< of the folder
    std::unique_ptr<Process> process;
    Clock::time_point start;
  };

  bool may_start(const PlanCell& next);
  bool fits_gpu(const PlanCell& next) const;
  /// False if another process is making it.
  bool start(const PlanCell& cell);
  void finish(Running& run, int code);
  void stop();
  Json record_of(const Running& run) const;
  std::vector<std::string> lines() const;
  std::string time_text() const;

  const Plan& plan_;
  CellFile& store_;
  FailureFile& failures_;
  RunnerSpec spec_;
  Json about_;
  LiveTable table_;
  Clock::time_point start_;
  Clock::time_point last_start_;
  std::optional<Clock::time_point> refused_;  ///< when memory was last too little for another run
  std::size_t waiting_ = 0;                   ///< cells at the end of the queue that others are making
  double free_gpu_ = 0;                       ///< MB before the first run; 0 without a GPU
  std::size_t total_ = 0, done_ = 0;
  std::map<std::string, double> costs_;  ///< about how many seconds; only ratios matter
  double left_ = 0, spent_ = 0;
  RunnerOutcome outcome_;
  std::vector<Running> running_;
};

/// What training prints as a cell's line: what tables need, and no more.
Json cell_record(const Json& result);
/// Lines of metrics.jsonl as columns, with four digits.
Json epoch_columns(const std::string& metrics);

}  // namespace mlpac
