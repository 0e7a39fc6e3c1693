// A run folder: the only thing training writes. config.toml, metrics.jsonl, events, checkpoint,
// weights, result.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "train/state.h"

namespace mlpac {

class RunFolder {
 public:
  /// Creates the folder if needed and locks it; Error if another process works in it. A folder that it created and that
  /// is still empty at the end is removed again.
  explicit RunFolder(std::filesystem::path path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.safetensors"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path events() const { return path_ / "tb" / "events.out.tfevents.mlpac"; }
  std::filesystem::path result() const { return path_ / "result.json"; }
  bool finished() const { return std::filesystem::exists(result()); }
  bool started() const { return std::filesystem::exists(config()); }

  /// Removes everything a run writes.
  void clear() const;

  std::uintmax_t metrics_size() const;
  /// Cuts off lines that were written after the checkpoint that is resumed.
  void truncate_metrics(std::uintmax_t size) const;

 private:
  std::filesystem::path path_;
  bool created_;
  int lock_ = -1;
};

}  // namespace mlpac
