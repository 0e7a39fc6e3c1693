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

  /// `kind`: standardise, max-abs, none, or auto: standardise; but if fewer than a quarter of all values are not 0,
  /// columns within -1 to 1 are left alone and others get max-abs (or standardise, if a quarter of the column is not
  /// 0).
  static Normaliser fit(const FeatureMatrix& features, std::string_view kind);

  nlohmann::json to_json() const;
  static Normaliser from_json(const nlohmann::json& json);

  /// All rows, still sparse. Throws UsageError if subtracting means would fill up the matrix.
  FeatureMatrix apply(FeatureMatrix features) const;
  /// One row as dense numbers.
  void apply(const FeatureMatrix& features, std::int64_t row, float* out) const;
};

/// The features of `data` in the `columns` columns a model was trained on. With names on both sides they are
/// matched by name: a category that the new file does not declare is 0; any other missing column is an Error; columns
/// the model does not know are left out. Otherwise they are matched by number.
FeatureMatrix align_columns(FeatureData data, const std::vector<std::string>& names, std::int32_t columns);

}  // namespace mlpac
