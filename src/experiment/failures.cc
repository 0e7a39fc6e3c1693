#include "experiment/failures.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "core/file.h"

namespace mlpac {

FailureFile::FailureFile(std::filesystem::path cells) : path_(std::move(cells)) {
  path_.replace_extension(".failed.jsonl");
  if (!std::filesystem::exists(path_)) return;
  std::istringstream lines(read_file(path_));
  for (std::string line; std::getline(lines, line);) {
    const auto record = Json::parse(line, nullptr, false);
    if (!record.is_object()) continue;  // notes for people: a torn line is no reason to stop
    errors_[{record.value("name", std::string()), record.value("options", std::string())}] =
        record.value("error", std::string());
  }
}

std::optional<std::string> FailureFile::error(const std::string& name, const std::string& options) const {
  const auto found = errors_.find({name, options});
  return found == errors_.end() ? std::nullopt : std::optional(found->second);
}

void FailureFile::add(const PlanCell& cell, const std::string& command, const std::string& error) {
  errors_[{cell.name, cell.options}] = error;
  if (path_.has_parent_path()) create_folder(path_.parent_path());
  append_line(path_, Json{{"name", cell.name}, {"options", cell.options}, {"error", error}, {"command", command}}.dump(
                         -1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace mlpac
