// Scaling of features, fitted on training rows and stored with the model: x -> (x - shift) * scale.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "mlpac/feature_data.h"

namespace mlpac {

struct Normaliser {
  std::vector<float> shift;
  std::vector<float> scale;
  std::vector<float> fill;  ///< what a missing value is taken for: the mean of the column

  /// `kind`: standardise, max-abs, none, or auto (standardise, or max-abs if fewer than a quarter of the values are not
  /// 0).
  static Normaliser fit(const FeatureMatrix& features, std::string_view kind);

  nlohmann::json to_json() const;
  static Normaliser from_json(const nlohmann::json& json);

  /// One row as dense numbers.
  void apply(const FeatureMatrix& features, std::int64_t row, float* out) const;
};

/// Rearranges columns by name into the order of `names`. A category that the new file does not declare is 0; any other
/// missing column is an Error; columns the model does not know are left out.
FeatureMatrix align_columns(const FeatureData& data, const std::vector<std::string>& names);

}  // namespace mlpac
