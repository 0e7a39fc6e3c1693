// A problem small enough to train in milliseconds, and a run of it with everything it wrote. Shared by the tests of
// methods, ablations and the training loop.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "mlpac/training.h"
#include "nn/torch.h"
#include "train/state.h"

namespace mlpac::tiny {

using Settings = std::vector<std::pair<std::string, std::string>>;
using Weights = std::map<std::string, at::Tensor>;

inline FeatureData data(std::uint64_t seed = 0, std::int64_t rows = 200, std::int32_t labels = 5) {
  SyntheticSpec spec;
  spec.rows = rows;
  spec.features = 8;
  spec.labels = labels;
  spec.positives = labels == 1 ? 0.4 : 1.5;
  spec.seed = seed;
  return synthesise(spec);
}

/// Small values of everything that costs time, as if they were defaults; later settings win. One split: folds are
/// asked for by the tests they belong to.
inline Options options(const Settings& settings = {}) {
  Options result;
  const Settings small{{"device", "cpu"},        {"threads", "1"},    {"widths", "8"},        {"batch", "32"},
                       {"epochs", "3"},          {"lr", "0.01"},      {"critic-lr", "0.01"},  {"pretrain-lr", "0.01"},
                       {"pretrain-epochs", "2"}, {"candidates", "3"}, {"critic-epochs", "2"}, {"gamma-policy", "0.6"},
                       {"folds", "1"},           {"threshold", "0.5"}};
  for (const auto& [name, value] : small) result.set(name, value, OptionSource::method);
  for (const auto& [name, value] : settings) result.set(name, value);
  return result;
}

/// A folder of the current test that goes away with the object.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("mlpac_unit_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// metrics.jsonl without the only fields that may differ between equal runs: times.
inline std::vector<nlohmann::json> read_metrics(const std::filesystem::path& folder) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(read_file(folder / "metrics.jsonl"));
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(nlohmann::json::parse(line));
    lines.back().erase("seconds");
    lines.back().erase("data_wait");
  }
  return lines;
}

/// What a training run left behind.
struct Run {
  TrainingReport report;
  Weights weights;
  Weights critic;  ///< empty if the method has none
  std::vector<nlohmann::json> metrics;

  std::vector<nlohmann::json> phase(const std::string& name) const {
    std::vector<nlohmann::json> lines;
    for (const auto& line : metrics) {
      if (line.at("phase") == name) lines.push_back(line);
    }
    return lines;
  }
};

inline Run read_run(const std::filesystem::path& folder, TrainingReport report) {
  Run result;
  result.report = std::move(report);
  result.weights = load_state(folder / "model.safetensors").tensors;
  if (std::filesystem::exists(folder / "critic.safetensors")) {
    result.critic = load_state(folder / "critic.safetensors").tensors;
  }
  result.metrics = read_metrics(folder);
  return result;
}

inline Run run(const Settings& settings, const FeatureData& train_data, const FeatureData* test = nullptr) {
  const Folder folder;
  auto all = settings;
  all.emplace_back("out", folder.path().string());
  auto report = train(options(all), train_data, test);
  return read_run(folder.path(), std::move(report));
}

inline Run run(const Settings& settings) { return run(settings, data()); }

inline bool equal(const Weights& a, const Weights& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, tensor] : a) {
    const auto it = b.find(name);
    if (it == b.end() || !at::equal(tensor, it->second)) return false;
  }
  return true;
}

inline bool finite(const Weights& weights) {
  for (const auto& [name, tensor] : weights) {
    if (!at::isfinite(tensor).all().item<bool>()) return false;
  }
  return true;
}

/// Values of one field over the epochs of a phase; epochs without it are left out.
inline std::vector<double> values(const std::vector<nlohmann::json>& lines, const std::string& field) {
  std::vector<double> result;
  for (const auto& line : lines) {
    if (line.contains(field)) result.push_back(line.at(field).get<double>());
  }
  return result;
}

}  // namespace mlpac::tiny
