#include "core/signals.h"

#include <csignal>
#include <cstdlib>

namespace mlpac {

namespace {

volatile std::sig_atomic_t g_signal = 0;

extern "C" void on_signal(int number) {
  if (g_signal != 0) std::_Exit(128 + number);
  g_signal = number;
}

}  // namespace

StopSignals::StopSignals() {
  g_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;  // NOLINT(cppcoreguidelines-pro-type-union-access)
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  g_signal = 0;  // a later job of the same process is not stopped by it
}

int StopSignals::received() { return g_signal; }

}  // namespace mlpac
