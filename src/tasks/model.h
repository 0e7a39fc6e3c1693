// A trained model in memory, for any task.
#pragma once

#include <functional>

#include "mlpac/training.h"
#include "tasks/task.h"
#include "train/sweep.h"

namespace mlpac {

struct Model::Content {
  nlohmann::json description;  ///< model.json
  std::vector<std::string> labels;
  std::shared_ptr<Network> network;
  Decision decision;
  SweepSpec sweep;
};

/// A model from weights; `description` is complete (task, architecture, decision, labels, ...).
std::shared_ptr<Model::Content> make_content(nlohmann::json description,
                                             const std::map<std::string, at::Tensor>& weights, const SweepSpec& sweep,
                                             std::string_view source);
std::shared_ptr<Model::Content> load_content(const std::filesystem::path& run, const SweepSpec& sweep);

/// The thresholds as log-odds, one per class.
at::Tensor threshold_shift(const Model::Content& content);

/// Calls `visit` with the predictions of one batch of rows after the other, so that only one is in memory.
void predict(const Model::Content& content, const Dataset& data, const std::function<void(const Predictions&)>& visit);
Predictions predict(const Model::Content& content, const Dataset& data);
Metrics evaluate(const Model::Content& content, const Application& application);

/// cpu, cuda, cuda:N or auto; UsageError if it is not there. Of several processes on a machine, each has another GPU as
/// long as there are enough.
at::Device parse_device(const std::string& name, int local_rank = 0);

}  // namespace mlpac
