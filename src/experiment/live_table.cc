#include "experiment/live_table.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "core/log.h"

namespace mlpac {
namespace {

std::pair<std::size_t, std::size_t> terminal_size() {
  winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 4) {
    return {size.ws_col, size.ws_row};
  }
  return {80, 24};
}

}  // namespace

LiveTable::LiveTable(bool quiet, double log_seconds)
    : quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) != 0),
      interval_(terminal_ ? 0.5 : log_seconds),
      last_(std::chrono::steady_clock::now()) {}

LiveTable::~LiveTable() { clear(); }

bool LiveTable::due() const { return !quiet_ && seconds_since(last_) >= interval_; }

void LiveTable::update(const std::vector<std::string>& lines) {
  if (quiet_) return;
  last_ = std::chrono::steady_clock::now();
  if (!terminal_) {
    if (!lines.empty()) fmt::print(stderr, "{}\n", lines.front());
    return;
  }
  clear();
  const auto [columns, rows] = terminal_size();
  std::string text;
  drawn_ = std::min(lines.size(), rows - 2);
  for (std::size_t i = 0; i < drawn_; ++i) text += lines[i].substr(0, columns - 1) + '\n';
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void LiveTable::say(const std::string& message) {
  clear();
  fmt::print(stderr, "{}\n", message);
}

void LiveTable::clear() noexcept {
  if (drawn_ > 0) std::fprintf(stderr, "\033[%zuA\033[J", drawn_);  // called by the destructor: nothing that throws
  drawn_ = 0;
}

}  // namespace mlpac
