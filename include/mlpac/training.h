// Training, evaluating and applying models: what the command does, as functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mlpac/feature_data.h"
#include "mlpac/metrics.h"
#include "mlpac/options.h"

namespace mlpac {

/// Probabilities [rows x classes], row by row, and what is above the thresholds.
struct Predictions {
  std::int64_t rows = 0;
  std::int64_t classes = 0;
  std::vector<float> probabilities;
  std::vector<std::uint8_t> decisions;
};

/// A trained model: weights, label names, normalisation, thresholds. Cheap to copy.
class Model {
 public:
  /// Loads the model of a finished run.
  explicit Model(const std::filesystem::path& run, const std::string& device = "cpu");

  const std::vector<std::string>& label_names() const;
  const nlohmann::json& description() const;

  Predictions predict(const FeatureData& data) const;
  /// On completely labelled data.
  Metrics evaluate(const FeatureData& data) const;
  /// Writes model.safetensors and model.json into a folder.
  void save(const std::filesystem::path& folder) const;

  struct Content;
  explicit Model(std::shared_ptr<Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<Content> content_;
};

struct TrainingReport {
  int signal = 0;         ///< not 0: interrupted; the state is saved in the run folder
  nlohmann::json result;  ///< what result.json holds
  std::shared_ptr<Model> model;
};

/// Fills in what task, method and ablation imply for options that the user has not set.
void apply_defaults(Options& options);

/// Trains from files into the run folder --out, resuming or refusing as the options say.
TrainingReport train(Options options);
/// Trains on data in memory. `test` may be null. Writes a run folder if --out is set.
TrainingReport train(Options options, const FeatureData& data, const FeatureData* test);

/// Test metrics as result.json shows them (percent).
nlohmann::json to_json(const Metrics& metrics);

}  // namespace mlpac
