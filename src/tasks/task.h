// A task ties a kind of data to the learner: how options become a problem, and how a model meets new files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "mlpac/options.h"
#include "train/problem.h"

namespace mlpac {

/// New data for a trained model.
struct Application {
  std::shared_ptr<const Dataset> data;
  std::optional<Labels> labels;
  std::vector<std::string> ids;              ///< of the rows; empty: they are numbered
  std::vector<std::filesystem::path> files;  ///< pictures of the rows; empty: they are no images
  Report report{};                           ///< more than metrics of label rows; empty: nothing
  /// What `predict` writes instead of the labels of each row; empty: those.
  std::function<std::string(Network& network, const SweepSpec& spec, const at::Tensor& shift)> text{};
};

/// What `mlpac pack` asks for.
struct PackRequest {
  const Options& options;
  std::vector<std::string> inputs;  ///< at least one
  std::filesystem::path out;
  bool overwrite = false;
  /// Is told how much is done, from 0 to 1, and of what; may throw to stop.
  std::function<void(double share, std::string_view what)> progress;
};

/// What a method needs to be set to on a kind of data; it goes before the task's own defaults.
struct MethodDefaults {
  std::string_view method;
  std::span<const OptionDefault> defaults;
};

struct TaskEntry {
  std::string_view name;
  std::string_view summary;
  std::span<const OptionDefault> defaults;
  std::span<const MethodDefaults> method_defaults;
  /// Reads the files the options name.
  Problem (*load)(const Options& options);
  /// Reads --data for the model that `description` belongs to.
  Application (*apply)(const nlohmann::json& description, const Options& options, bool labels_required);
  /// Writes the inputs into a store, which `load` and `apply` take instead of them; says what is in it.
  std::string (*pack)(const PackRequest& request);
};

std::span<const TaskEntry> tasks();
const TaskEntry& find_task(std::string_view name);

}  // namespace mlpac
