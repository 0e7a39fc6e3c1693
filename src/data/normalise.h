// Scaling of features, fitted on training rows and stored with the model: x -> (x - shift) * scale.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "data/column_statistics.h"
#include "data/feature_view.h"
#include "mlpac/feature_data.h"

namespace mlpac {

struct Normaliser {
  std::vector<float> shift;
  std::vector<float> scale;
  std::vector<float> fill;  ///< what a missing value is taken for: the mean of the column

  /// `kind`: standardise, max-abs, none, or auto: standardise; but if fewer than a quarter of all values are not 0,
  /// columns within -1 to 1 are left alone and others get max-abs (or standardise, if a quarter of the column is not
  /// 0).
  static Normaliser fit(const ColumnStatistics& statistics, std::string_view kind);
  static Normaliser fit(const FeatureMatrix& features, std::string_view kind);

  nlohmann::json to_json() const;
  static Normaliser from_json(const nlohmann::json& json);

  /// All rows, still sparse. Throws UsageError if subtracting means would fill up the matrix.
  FeatureMatrix apply(FeatureMatrix features) const;
  /// One row as dense numbers.
  void apply(const FeatureView& features, std::int64_t row, float* out) const;

  float scaled(std::int32_t column, float value) const {
    const auto c = static_cast<std::size_t>(column);
    return ((std::isnan(value) ? fill[c] : value) - shift[c]) * scale[c];
  }
};

/// Rows that are scaled and stay sparse.
class SparseScaler {
 public:
  /// Throws UsageError if subtracting means would fill up the rows.
  SparseScaler(Normaliser normaliser, const FeatureView& features);

  /// Calls use(column, value) for the values of a row that are stored then, by increasing column.
  template <typename Use>
  void visit(const FeatureView& features, std::int64_t row, const Use& use) const {
    auto next = shifted_.begin();
    const auto fill_up = [&](std::int32_t before) {
      for (; next != shifted_.end() && *next < before; ++next) use(*next, normaliser_.scaled(*next, 0));
    };
    features.visit(row, [&](std::int32_t column, float value) {
      fill_up(column);
      if (next != shifted_.end() && *next == column) ++next;
      use(column, normaliser_.scaled(column, value));
    });
    fill_up(features.columns());
  }

 private:
  Normaliser normaliser_;
  std::vector<std::int32_t> shifted_;  ///< zeros of these columns become something else and must be stored
};

/// Where each column of `data`, which has `present` of them, goes among the `columns` a model was trained on; -1: left
/// out. Empty: they stay where they are. With names on both sides they are matched by name: a category that the new
/// file does not declare is 0; any other missing column is an Error; columns the model does not know are left out.
/// Otherwise they are matched by number.
std::vector<std::int32_t> match_columns(const FeatureData& data, std::int32_t present,
                                        const std::vector<std::string>& names, std::int32_t columns);

/// The features of `data` in the columns of a model, matched like that.
FeatureMatrix align_columns(FeatureData data, const std::vector<std::string>& names, std::int32_t columns);

}  // namespace mlpac
