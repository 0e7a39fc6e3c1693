// Cells that failed, with what the program said: beside the file of cells, so that they are not tried again and again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "experiment/plan.h"

namespace mlpac {

class FailureFile {
 public:
  explicit FailureFile(std::filesystem::path cells);

  /// Why a cell with these options failed the last time it was tried.
  std::optional<std::string> error(const std::string& name, const std::string& options) const;
  void add(const PlanCell& cell, const std::string& command, const std::string& error);
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::map<std::pair<std::string, std::string>, std::string> errors_;
};

}  // namespace mlpac
