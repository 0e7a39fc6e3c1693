#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/log.h"
#include "core/sha256.h"
#include "core/signals.h"
#include "experiment/needs.h"
#include "experiment/place.h"
#include "experiment/statistics.h"
#include "mlpac/error.h"

namespace mlpac {

namespace fs = std::filesystem;

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
/// A run that is told to stop may finish its step and save this long.
constexpr double kGrace = 120;
/// Share of memory beyond what a run was seen to need that must be free before another one starts.
constexpr double kReserve = 1.2;

std::string last_line(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const auto text = read_file(file);
  const auto end = text.find_last_of('\n');
  if (end == std::string::npos || end == 0) return {};
  const auto begin = text.find_last_of('\n', end - 1);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end);
}

std::string tail(const std::string& text, std::size_t most) {
  const auto end = text.find_last_not_of(" \t\r\n");
  const auto trimmed = end == std::string::npos ? std::string() : text.substr(0, end + 1);
  return trimmed.size() <= most ? trimmed : "…" + trimmed.substr(trimmed.size() - most);
}

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// A folder of its own for everything that defines a run, where it is.
std::string folder_name(const PlanCell& cell, const std::vector<std::string>& command) {
  std::string name = cell.name;
  std::replace(name.begin(), name.end(), '/', '-');
  std::string all = cell.options;
  for (const auto& word : command) all += '\n' + word;
  return fmt::format("{}-{}", name, sha256(all).substr(0, 8));
}

fs::path lock_of(const fs::path& folder) { return folder.string() + ".lock"; }

void remove_file(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

void remove_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

Runner::Runner(const Plan& plan, CellFile& store, FailureFile& failures, RunnerSpec spec)
    : plan_(plan), store_(store), failures_(failures), spec_(std::move(spec)), table_(spec_.quiet, spec_.log_seconds) {
  about_ = Json{{"device", spec_.device},
                {"jobs", spec_.jobs},
                {"commit", spec_.commit},
                {"binary", fingerprint(spec_.program)},
                {"machine", machine_of(spec_.device)}};
}

/// One run always may. Another one only if what the largest so far needed is free, here and on the GPU.
bool Runner::may_start(const PlanCell& next) {
  if (running_.empty()) return true;
  if (running_.size() >= spec_.jobs) return false;
  constexpr double kPatience = 2;  // seconds until it is asked again: the GPU's driver takes its time
  if (refused_ && seconds_since(*refused_) < kPatience) return false;
  double need = 0;
  for (const auto* const record : store_.records()) need = std::max(need, record->value("memory", 0.0));
  const bool may = free_memory_mb() >= kReserve * need && (free_gpu_ <= 0 || fits_gpu(next));
  refused_ = may ? std::nullopt : std::optional(Clock::now());
  return may;
}

bool Runner::fits_gpu(const PlanCell& next) const {
  const auto records = store_.records();
  const auto need = expected_gpu_memory(records, next.values);
  double taken = 0;
  for (const auto& run : running_) {
    taken += expected_gpu_memory(records, run.cell->values).value_or(0);
  }
  if (need) return std::min(free_gpu_ - taken, free_gpu_memory_mb()) >= kReserve * *need;
  // What they need is not known yet: one after the other, and as much as the others have taken is to be free.
  constexpr double kSettle = 20;  // seconds until a run has taken most of it
  if (seconds_since(last_start_) < kSettle) return false;
  const double free = free_gpu_memory_mb();
  return free >= kReserve * (free_gpu_ - free) / static_cast<double>(running_.size());
}

bool Runner::start(const PlanCell& cell) {
  Running run;
  run.cell = &cell;
  auto [kind, files] = spec_.files(cell);
  run.data = kind;
  std::vector<std::string> options = cell.arguments;
  for (const auto& more : {files, plan_.device_options(spec_.device), spec_.extra}) {
    options.insert(options.end(), more.begin(), more.end());
  }
  run.folder = spec_.work / folder_name(cell, options);
  create_folder(spec_.work);
  run.lock = FileLock(lock_of(run.folder));
  if (!run.lock.held()) return false;
  // Whoever held the lock before may have made it.
  if (store_.get(cell.name, cell.options) != nullptr) {
    remove_file(lock_of(run.folder));
    ++done_;
    left_ -= costs_[cell.name];
    return true;
  }
  create_folder(run.folder);
  run.command = {spec_.program, "train"};
  const auto config = plan_.config(cell, run.folder);
  run.command.insert(run.command.end(), config.begin(), config.end());
  run.command.insert(run.command.end(), options.begin(), options.end());
  for (const auto& word :
       {std::string("--device"), spec_.device, std::string("--threads"), fmt::format("{}", spec_.threads),
        std::string("--quiet"), std::string("--json"), std::string("--out"), (run.folder / "run").string()}) {
    run.command.push_back(word);
  }
  if (fs::exists(run.folder / "run" / "config.toml")) run.command.emplace_back("--resume");
  Process::Spec process{run.command, run.folder / "stdout", run.folder / "stderr", {}};
  process.environment.emplace_back("OMP_NUM_THREADS", fmt::format("{}", spec_.threads));
  run.process = std::make_unique<Process>(process);
  run.start = last_start_ = Clock::now();
  running_.push_back(std::move(run));
  return true;
}

Json Runner::record_of(const Running& run) const {
  const auto result = Json::parse(read_file(run.folder / "stdout"), nullptr, false);
  if (!result.is_object()) throw Error("the output is no JSON");
  if (!result.contains("test") || !result.at("test").is_object()) throw Error("there is no test result in the output");
  Json record{{"kind", plan_.kind()}, {"options", run.cell->options}};
  record.update(run.cell->values);
  try {
    record.update(cell_record(result));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("the output is not that of training: {}", error.what()));
  }
  record["data"] = run.data;
  record.update(about_);
  const auto metrics = run.folder / "run" / "metrics.jsonl";
  if (plan_.keeps_epochs(*run.cell) && fs::exists(metrics)) record["epochs"] = epoch_columns(read_file(metrics));
  return record;
}

std::string Runner::time_text() const {
  const double passed = seconds_since(start_);
  auto text = fmt::format("{} passed", duration(passed));
  if (spent_ > 0) text += fmt::format(", about {} left", duration(passed * std::max(0.0, left_) / spent_));
  return text;
}

void Runner::finish(Running& run, int code) {
  const auto& cell = *run.cell;
  ++done_;
  spent_ += costs_[cell.name];
  left_ -= costs_[cell.name];
  std::string error;
  if (code != 0) {
    error = fmt::format("exit code {}{}\n{}", code, code == 137 ? " (killed; too little memory?)" : "",
                        tail(read_file(run.folder / "stderr"), 2000));
  } else {
    try {
      const auto record = record_of(run);
      if (store_.add({record}) == 0) {
        table_.say(fmt::format("{}: another process has measured it as well; its result stays", cell.name));
      }
      ++outcome_.made;
      if (!spec_.quiet) {
        table_.say(fmt::format("[{}/{}] {}: F1 {:.1f}, {:.1f} s; {}", done_, total_, cell.name,
                               record.at("test").value("f1", 0.0), record.at("seconds").value("total", 0.0),
                               time_text()));
      }
    } catch (const Error& problem) {
      error = problem.what();
    }
  }
  if (!error.empty()) {
    ++outcome_.failed;
    failures_.add(cell, shell_text(run.command), error);
    table_.say(fmt::format("FAILED {}: {}: {}", cell.name, shell_text(run.command), error));
  }
  if (!spec_.keep_runs) remove_folder(run.folder);
  remove_file(lock_of(run.folder));
}

/// Ends what is running: each may save its state.
void Runner::stop() {
  for (const auto& run : running_) run.process->signal(SIGTERM);
  const auto told = Clock::now();
  bool killed = false;
  while (!running_.empty()) {
    std::this_thread::sleep_for(kPause);
    std::erase_if(running_, [](Running& run) {
      if (!run.process->poll()) return false;
      remove_file(lock_of(run.folder));
      return true;
    });
    if (!killed && seconds_since(told) > kGrace) {
      for (const auto& run : running_) run.process->signal(SIGKILL);
      killed = true;
    }
  }
}

std::vector<std::string> Runner::lines() const {
  std::vector<std::string> result{fmt::format("{} of {} cells, {} failed, {} running; {}", done_, total_,
                                              outcome_.failed, running_.size(), time_text())};
  for (const auto& run : running_) {
    const auto epoch = Json::parse(last_line(run.folder / "run" / "metrics.jsonl"), nullptr, false);
    std::string state = "starting";
    if (epoch.is_object()) {
      state = fmt::format("{} epoch {}", epoch.value("phase", std::string()), epoch.value("epoch", 0));
      if (epoch.contains("score")) state += fmt::format(", score {:.2f}", epoch.value("score", 0.0));
    }
    result.push_back(fmt::format("  {:<48} {:>8}  {}", run.cell->name, duration(seconds_since(run.start)), state));
  }
  return result;
}

RunnerOutcome Runner::run(const std::vector<PlanCell>& cells) {
  const StopSignals signals;
  std::deque<const PlanCell*> queue;
  std::size_t kept = 0;
  for (const auto& cell : cells) {
    if (store_.get(cell.name, cell.options) != nullptr) continue;
    if (!spec_.retry && failures_.error(cell.name, cell.options)) {
      ++kept;
      continue;
    }
    queue.push_back(&cell);
    left_ += costs_[cell.name] = expected_seconds(store_.records(), cell.values);
  }
  total_ = queue.size();
  if (!queue.empty()) spec_.files(*queue.front());  // rather one message now than one per cell
  start_ = last_start_ = Clock::now();
  if (spec_.device != "cpu") free_gpu_ = free_gpu_memory_mb();
  const auto time_is_up = [&] { return spec_.seconds && seconds_since(start_) >= *spec_.seconds; };
  while (!queue.empty() || !running_.empty()) {
    outcome_.signal = StopSignals::received();
    if (outcome_.signal != 0 || time_is_up()) break;
    if (!queue.empty() && may_start(*queue.front())) {
      const auto* const next = queue.front();
      queue.pop_front();
      if (start(*next)) {
        waiting_ = 0;
        continue;
      }
      queue.push_back(next);  // later, if whoever makes it fails
      if (++waiting_ < queue.size()) continue;
      waiting_ = 0;
    }
    std::this_thread::sleep_for(kPause);
    for (std::size_t i = 0; i < running_.size();) {
      const auto code = running_[i].process->poll();
      if (!code) {
        ++i;
        continue;
      }
      auto ended = std::move(running_[i]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      if (StopSignals::received() == 0) finish(ended, *code);
    }
    if (table_.due()) table_.update(lines());
  }
  stop();
  remove_file(spec_.work);  // if nothing is left in it
  if (outcome_.signal == 0 && time_is_up()) {
    table_.say(fmt::format("the time is up: {} of {} runs are made", outcome_.made, total_));
  }
  if (outcome_.failed > 0)
    table_.say(fmt::format("{} of {} runs failed; why: {}", outcome_.failed, total_, failures_.path().string()));
  if (kept > 0) {
    table_.say(fmt::format("{} cells failed before and were not made again; why: {}; --retry makes them", kept,
                           failures_.path().string()));
  }
  return outcome_;
}

}  // namespace mlpac
