// Feature data: rows of numbers, a set of labels each.
#pragma once

#include "mlpac/feature_data.h"
#include "tasks/task.h"

namespace mlpac {

Problem load_features(const Options& options);
Application apply_feature_file(const nlohmann::json& description, const Options& options, bool labels_required);

/// What the options say about reading files.
ReadOptions read_options(const Options& options);
/// The problem of feature data that is in memory.
Problem feature_problem(const Options& options, FeatureData data, std::optional<FeatureData> test);
/// Feature data in the columns and scale a model expects.
Application apply_features(const nlohmann::json& description, FeatureData data);

}  // namespace mlpac
