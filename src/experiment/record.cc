// What a run leaves behind as a line of the file of cells.
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiment/runner.h"
#include "experiment/statistics.h"

namespace mlpac {
namespace {

/// Numbers with so many digits; everything else as it is.
Json rounded_numbers(const Json& object, const std::vector<std::string>& names, int digits) {
  Json result = Json::object();
  for (const auto& name : names) {
    const auto value = object.value(name, Json());
    result[name] = value.is_number_float() ? Json(rounded(value.get<double>(), digits)) : value;
  }
  return result;
}

}  // namespace

Json cell_record(const Json& result) {
  const std::vector<std::string> metrics{"precision", "recall", "f1", "map"};
  Json record = Json::object();
  record["test"] = rounded_numbers(result.at("test"), metrics, 3);
  if (const auto critic = result.value("critic", Json()); critic.is_object()) {
    record["critic"] = rounded_numbers(critic, metrics, 3);
  }
  if (const auto uncut = result.value("uncut", Json()); uncut.is_object()) {
    record["uncut"] = rounded_numbers(uncut, {"precision", "recall", "f1"}, 3);
  }
  record["selection"] =
      rounded_numbers(result.at("selection"), {"epoch", "phase", "w", "threshold", "score", "rule"}, 5);
  record["seconds"] = rounded_numbers(result.at("seconds"), {"total", "train"}, 2);
  for (const auto& [own, theirs] : {std::pair{"memory", "peak_memory_mb"}, {"gpu_memory", "peak_gpu_memory_mb"}}) {
    const auto memory = result.value(theirs, Json());
    if (memory.is_number()) record[own] = rounded(memory.get<double>(), 0);
  }
  record["version"] = result.at("version");
  return record;
}

Json epoch_columns(const std::string& metrics) {
  std::vector<Json> epochs;
  std::set<std::string> names;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    auto epoch = Json::parse(line, nullptr, false);
    if (!epoch.is_object()) continue;
    for (const auto& [name, value] : epoch.items()) {
      if (value.is_number() || value.is_string()) names.insert(name);
    }
    epochs.push_back(std::move(epoch));
  }
  Json columns = Json::object();
  for (const auto& name : names) {
    Json column = Json::array();
    for (const auto& epoch : epochs) {
      const auto value = epoch.value(name, Json());
      const bool fraction = value.is_number_float();
      column.push_back(fraction ? Json(std::strtod(fmt::format("{:.4g}", value.get<double>()).c_str(), nullptr))
                                : value);
    }
    columns[name] = std::move(column);
  }
  return columns;
}

}  // namespace mlpac
