// Copies of data with more labels, in its own format.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/added_label.h"
#include "mlpac/options.h"

namespace mlpac {

/// What is copied, and what for.
struct RepairSpec {
  const Options& options;  ///< how the data is read
  std::string_view task;
  std::filesystem::path in;
  std::filesystem::path out;
  std::string_view option;                    ///< that asked for the copy, for messages
  std::vector<std::string> label_names = {};  ///< of the model that suggested them, if there is one
  nlohmann::json schema = {};                 ///< how it reads tables
};

/// Writes the copy and, beside it in OUT.added.jsonl, where its labels come from. The data itself is never changed, and
/// everything but the labels is as it was. UsageError for data that cannot be rewritten.
void write_repaired(const RepairSpec& spec, std::span<const AddedLabel> added, std::string_view provenance);

}  // namespace mlpac
