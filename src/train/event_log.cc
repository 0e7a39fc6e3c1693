#include "train/event_log.h"

#include <fmt/format.h>

#include <chrono>
#include <sstream>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/tensorboard.h"

namespace mlpac {

namespace {

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

EventLog::EventLog(std::filesystem::path file, const std::filesystem::path& metrics, double elapsed)
    : file_(std::move(file)), start_(wall_time() - elapsed) {
  create_folder(file_.parent_path());
  std::string content = event_file_header(start_);
  if (std::filesystem::exists(metrics)) {
    std::istringstream lines(read_file(metrics));
    for (std::string line; std::getline(lines, line);) {
      const auto parsed = nlohmann::json::parse(line, nullptr, false);
      if (parsed.is_object()) content += events(parsed);
    }
  }
  write_file_atomically(file_, content);
}

void EventLog::append(const nlohmann::json& line) { append_bytes(file_, events(line)); }

std::string EventLog::events(const nlohmann::json& line) {
  const auto phase = line.value("phase", std::string("train"));
  std::vector<std::pair<std::string, double>> scalars;
  for (const auto& [name, value] : line.items()) {
    if (value.is_number() && name != "epoch" && name != "seconds") {
      scalars.emplace_back(fmt::format("{}/{}", phase, name), value.get<double>());
    }
  }
  if (line.contains("candidates")) {
    for (const auto& candidate : line.at("candidates")) {
      scalars.emplace_back(fmt::format("score/w={:.4g}", candidate.value("w", 0.0)), candidate.value("score", 0.0));
    }
  }
  return scalar_events(start_ + line.value("seconds", 0.0), ++step_, scalars);
}

}  // namespace mlpac
