// What a run folder tells: its options, every epoch, and the result if it is complete.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/flat_toml.h"

namespace mlpac {

struct RunData {     // NOLINT(bugprone-exception-escape): a move of JSON that is said to throw
  std::string name;  ///< the last part of the path
  FlatToml options;
  std::vector<nlohmann::json> epochs;  ///< lines of metrics.jsonl
  nlohmann::json result;               ///< null: unfinished

  /// A number of the result by its path, such as "/test/f1"; NaN if there is none.
  double number(const std::string& pointer) const;
};

/// Error if the folder is no run. A last line of metrics.jsonl that is being written does not count.
RunData read_run(const std::filesystem::path& folder);

/// Several runs, whose names differ: as much of the path as is needed stands before them.
std::vector<RunData> read_runs(const std::vector<std::string>& folders);

/// A number of an epoch; NaN if there is none.
double number_in_epoch(const nlohmann::json& epoch, std::string_view name);

/// Options of the option table whose values differ between the runs, or for one run those that are not the table's
/// defaults; paths of the machine are left out.
std::vector<std::string> telling_options(const std::vector<RunData>& runs);

}  // namespace mlpac
