// Feature data: rows of numbers, a set of labels each.
#pragma once

#include "mlpac/feature_data.h"
#include "tasks/task.h"

namespace mlpac {

Problem load_features(const Options& options);
Application apply_feature_file(const nlohmann::json& description, const Options& options, bool labels_required);

/// The problem of feature data that is in memory.
Problem feature_problem(const Options& options, const FeatureData& data, const FeatureData* test);
/// Feature data in the columns and scale a model expects.
Application apply_features(const nlohmann::json& description, const FeatureData& data);

}  // namespace mlpac
