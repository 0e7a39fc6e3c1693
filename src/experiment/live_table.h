// What runs at the moment: a table that redraws itself on a terminal, otherwise its first line once per interval.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace mlpac {

class LiveTable {
 public:
  LiveTable(bool quiet, double log_seconds);
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;
  ~LiveTable();

  /// Whether `update` would show something now: making the lines costs something.
  bool due() const;
  void update(const std::vector<std::string>& lines);
  /// A message that stays above the table.
  void say(const std::string& message);

 private:
  void clear() noexcept;

  bool quiet_;
  bool terminal_;
  double interval_;
  std::chrono::steady_clock::time_point last_;
  std::size_t drawn_ = 0;
};

}  // namespace mlpac
