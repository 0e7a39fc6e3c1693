#include "experiment/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/file.h"
#include "core/names.h"
#include "core/process.h"
#include "core/sha256.h"
#include "mlpac/error.h"

namespace mlpac {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// "MemAvailable:  123 kB" and its like.
double kilobytes_of(const std::string& file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + ":")) return std::strtod(line.c_str() + name.size() + 1, nullptr);
  }
  return 0;
}

}  // namespace

std::string measured_program() {
  if (auto named = environment("MLPAC"); !named.empty()) return named;
  std::error_code error;
  const auto own = fs::read_symlink("/proc/self/exe", error);
  return error ? "mlpac" : own.string();
}

std::string fingerprint(const std::string& program) {
  try {
    return sha256(read_file(program)).substr(0, 10);
  } catch (const Error&) {
    return "unknown";
  }
}

std::vector<std::string> extra_options() { return shell_words(environment("MLPAC_EXTRA")); }

std::string commit_of(const fs::path& folder) {
  if (auto named = environment("MLPAC_COMMIT"); !named.empty()) return named;
  const auto top = output_of({"git", "-C", folder.string(), "rev-parse", "--show-toplevel"});
  if (top.empty()) return "unknown";
  const auto described = output_of({"git", "-C", top, "describe", "--always"});
  const auto changed =
      output_of({"git", "-C", top, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/results"});
  return (described.empty() ? "unknown" : described) + (changed.empty() ? "" : "-dirty");
}

std::string gpu_name() { return first_line(output_of({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"})); }

unsigned core_count() { return std::max(1U, std::thread::hardware_concurrency()); }

Json machine_of(const std::string& device) {
  std::string cpu = "unknown CPU";
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    cpu = line.substr(colon + 2);
    break;
  }
  Json machine{{"cores", core_count()}, {"cpu", cpu}};
  if (device != "cpu") {
    const auto gpu = gpu_name();
    machine["gpu"] = gpu.empty() ? device : gpu;
  }
  return machine;
}

std::string machine_text(const Json& machine) {
  const auto cores =
      fmt::format("{} cores ({})", machine.value("cores", 0), machine.value("cpu", std::string("unknown CPU")));
  return machine.contains("gpu") ? fmt::format("{} with {}", machine.at("gpu").get<std::string>(), cores) : cores;
}

double free_memory_mb() { return kilobytes_of("/proc/meminfo", "MemAvailable") / 1024; }

double free_gpu_memory_mb() {
  const auto text = first_line(output_of({"nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits"}));
  return text.empty() ? 0 : std::strtod(text.c_str(), nullptr);
}

fs::path plans_folder(const std::string& given) {
  if (!given.empty()) {
    if (!fs::is_directory(given)) throw Error(fmt::format("--plans {}: not a folder", given));
    return given;
  }
  std::error_code error;
  if (fs::exists("experiments/paper.json")) return fs::absolute("experiments");
  // build/release/bin/mlpac lies in the tree; an installed program has its plans in share/mlpac.
  for (auto folder = fs::read_symlink("/proc/self/exe", error).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const auto* const where : {"experiments", "share/mlpac/experiments"}) {
      if (fs::exists(folder / where / "paper.json")) return folder / where;
    }
  }
  return "experiments";
}

std::vector<fs::path> all_plans(const fs::path& plans) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(plans, error)) {
    const auto& path = entry.path();
    if (path.extension() == ".json" && path.parent_path() != plans) found.push_back(path);
  }
  if (error)
    throw Error(fmt::format("{}: {}; name the folder of the plans with --plans", plans.string(), error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

fs::path find_plan(const std::string& name, const fs::path& plans) {
  if (fs::is_regular_file(name)) return fs::absolute(name).lexically_normal();
  std::vector<std::string> names;
  for (const auto& path : all_plans(plans)) {
    const auto stem = path.filename() == "plan.json" ? path.parent_path().filename().string() : path.stem().string();
    if (stem == name) return path;
    names.push_back(stem);
  }
  throw_unknown_name("experiment", name, names);
}

}  // namespace mlpac
