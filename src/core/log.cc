#include "core/log.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace mlpac {

namespace {

bool g_quiet = false;
std::string g_label;

using Clock = std::chrono::steady_clock;

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

}  // namespace

void set_quiet(bool quiet) { g_quiet = quiet; }

void set_log_label(std::string label) { g_label = std::move(label); }

void log_info(std::string_view message) {
  if (!g_quiet) fmt::print(stderr, "{}{}\n", g_label, message);
}

void log_warning(std::string_view message) { fmt::print(stderr, "{}warning: {}\n", g_label, message); }

void log_error(std::string_view message) { fmt::print(stderr, "mlpac: {}{}\n", g_label, message); }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string format_seconds(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(std::string title, double total, double done, double log_seconds)
    : title_(std::move(title)),
      total_(std::max(1.0, total)),
      start_done_(done),
      interval_(log_seconds),
      terminal_(::isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() { clear(); }

void Progress::update(double done, std::string_view note) {
  if (g_quiet) return;
  constexpr double kRedraw = 0.1;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? kRedraw : interval_)) return;
  last_ = now;
  const double elapsed = std::max(1e-9, seconds_since(start_));
  const double rate = (done - start_done_) / elapsed;
  const double share = std::min(1.0, done / total_);
  const std::string left = rate > 0 ? format_seconds((total_ - done) / rate) : "?";
  const std::string tail = fmt::format("{:3.0f}% {:.0f} steps/s, {} left, {}", 100 * share, rate, left, note);
  if (!terminal_) {
    fmt::print(stderr, "{}: {}\n", title_, tail);
    return;
  }
  constexpr std::size_t kBar = 24;
  const auto filled = static_cast<std::size_t>(share * kBar);
  std::string line =
      fmt::format("{} [{}{}] {}", title_, std::string(filled, '='), std::string(kBar - filled, ' '), tail);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace mlpac
