// Feature data: rows of numbers, a set of labels each.
#pragma once

#include "data/feature_store.h"
#include "mlpac/feature_data.h"
#include "tasks/task.h"

namespace mlpac {

Problem load_features(const Options& options);
Application apply_feature_file(const nlohmann::json& description, const Options& options, bool labels_required);
std::string pack_features(const PackRequest& request);

/// What the options say about reading files.
ReadOptions read_options(const Options& options);
/// The problem of feature data, in memory or in stores.
Problem feature_problem(const Options& options, FeatureTable table, std::optional<FeatureTable> test);
/// Feature data in the columns and scale a model expects.
Application apply_features(const nlohmann::json& description, FeatureTable table,
                           std::int64_t memory = std::int64_t{1} << 30);

}  // namespace mlpac
