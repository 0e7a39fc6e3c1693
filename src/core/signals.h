// SIGINT and SIGTERM ask a job to stop after the current step; a second one ends the process at once.
#pragma once

namespace mlpac {

/// Installs the handlers for the lifetime of the object.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// 0, or the signal that asked to stop.
  static int received();
};

}  // namespace mlpac
