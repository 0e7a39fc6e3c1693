// The numbers of metrics.jsonl as a TensorBoard event file: RUN/tb/events.out.tfevents.mlpac.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace mlpac {

class EventLog {
 public:
  /// Starts the file anew from the lines that metrics.jsonl holds: after an interruption it may have more than those.
  /// `elapsed` are the seconds of training so far.
  EventLog(std::filesystem::path file, const std::filesystem::path& metrics, double elapsed);

  /// One line of metrics.jsonl.
  void append(const nlohmann::json& line);

 private:
  std::string events(const nlohmann::json& line);

  std::filesystem::path file_;
  double start_;           ///< wall time at which training would have begun without interruptions
  std::int64_t step_ = 0;  ///< epochs over all phases
};

}  // namespace mlpac
