// Messages for people, on stderr; results go to stdout. Nothing below the commands and the training loop logs.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mlpac {

void set_quiet(bool quiet);
/// What every message begins with: which of several processes speaks.
void set_log_label(std::string label);
void log_info(std::string_view message);     ///< silenced by --quiet
void log_warning(std::string_view message);  ///< always shown
void log_error(std::string_view message);    ///< always shown: why the program ends

/// Seconds since `start`.
double seconds_since(std::chrono::steady_clock::time_point start);

/// "2 min 05 s"
std::string format_seconds(double seconds);

/// A bar that redraws itself on a terminal; otherwise one line per interval.
class Progress {
 public:
  /// `done` of `total` steps may be finished already (a resumed run).
  Progress(std::string title, double total, double done, double log_seconds);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void update(double done, std::string_view note);
  /// Removes the bar (before a message or the end).
  void clear();

 private:
  std::string title_;
  double total_;
  double start_done_;
  double interval_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace mlpac
