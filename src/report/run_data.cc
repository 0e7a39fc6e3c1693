#include "report/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "mlpac/error.h"
#include "mlpac/options.h"

namespace mlpac {

namespace fs = std::filesystem;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// "runs/a/b/" to its last parts.
std::string last_parts(const fs::path& folder, std::size_t count) {
  std::vector<std::string> parts;
  for (const auto& part : fs::absolute(folder).lexically_normal()) {
    if (const auto text = part.string(); !text.empty() && text != "/") parts.push_back(text);
  }
  const auto from = parts.size() > count ? parts.size() - count : 0;
  std::string name;
  for (std::size_t i = from; i < parts.size(); ++i) name += (name.empty() ? "" : "/") + parts[i];
  return name.empty() ? folder.string() : name;
}

std::vector<nlohmann::json> read_epochs(const fs::path& file) {
  std::vector<nlohmann::json> epochs;
  if (!fs::exists(file)) return epochs;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    auto epoch = nlohmann::json::parse(line, nullptr, false);
    if (epoch.is_object()) {
      epochs.push_back(std::move(epoch));
    } else if (!lines.eof()) {
      throw Error(fmt::format("{}:{}: expected an object; the file is damaged", file.string(), epochs.size() + 1));
    }
  }
  return epochs;
}

}  // namespace

double RunData::number(const std::string& pointer) const {
  const nlohmann::json::json_pointer path(pointer);
  if (!result.is_object() || !result.contains(path) || !result.at(path).is_number()) return kNothing;
  return result.at(path).get<double>();
}

double number_in_epoch(const nlohmann::json& epoch, std::string_view name) {
  const auto found = epoch.find(std::string(name));
  return found != epoch.end() && found->is_number() ? found->get<double>() : kNothing;
}

RunData read_run(const fs::path& folder) {
  const auto config = folder / "config.toml";
  const auto result = folder / "result.json";
  if (!fs::exists(config) && !fs::exists(result)) {
    throw Error(fmt::format("{}: not a run folder (no config.toml in it)", folder.string()));
  }
  RunData run;
  run.name = last_parts(folder, 1);
  if (fs::exists(config)) run.options = read_flat_toml(config);
  run.epochs = read_epochs(folder / "metrics.jsonl");
  if (fs::exists(result)) {
    run.result = nlohmann::json::parse(read_file(result), nullptr, false);
    const auto is_result = [](const nlohmann::json& value) {
      return value.is_object() && value.value("selection", nlohmann::json()).is_object() &&
             (!value.contains("test") || value.at("test").is_null() || value.at("test").is_object()) &&
             (!value.contains("classes") || value.at("classes").is_null() || value.at("classes").is_array());
    };
    if (!is_result(run.result)) {
      throw Error(fmt::format("{}: not the result of a training; it is damaged", result.string()));
    }
  }
  return run;
}

std::vector<RunData> read_runs(const std::vector<std::string>& folders) {
  std::vector<RunData> runs;
  runs.reserve(folders.size());
  for (const auto& folder : folders) runs.push_back(read_run(folder));
  constexpr std::size_t kDeepest = 8;
  for (std::size_t parts = 1; parts <= kDeepest; ++parts) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i].name = last_parts(folders[i], parts);
      names.insert(runs[i].name);
    }
    if (names.size() == runs.size()) break;
  }
  return runs;
}

std::vector<std::string> telling_options(const std::vector<RunData>& runs) {
  const Options defaults;
  std::vector<std::string> names;
  for (const auto& entry : option_table()) {
    if ((entry.commands & kTrain) == 0 || entry.runtime) continue;
    const std::string name(entry.name);
    std::set<std::string> values;
    for (const auto& run : runs) {
      const auto found = run.options.find(name);
      values.insert(found == run.options.end() ? "" : found->second.dump());
    }
    bool tells = values.size() > 1;
    if (runs.size() == 1 && !values.begin()->empty()) {
      const auto& value = runs.front().options.at(name);
      const auto text = value.is_string() ? value.get<std::string>() : value.dump();
      Options own;  // in the spelling of the table
      try {
        own.set(name, text);
        tells = own.text(name) != defaults.text(name);
      } catch (const Error&) {
        tells = true;  // of another version
      }
    }
    if (tells) names.push_back(name);
  }
  return names;
}

}  // namespace mlpac
