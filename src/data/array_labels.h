// The label matrix from an array: states, order of the classes, names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/feature_data.h"

namespace mlpac {

/// Values a label array may hold, for messages.
inline constexpr std::string_view kLabelValues = "1 (positive), 0 or NaN (unknown) or -1 (known negative)";

/// A label array as it was found.
struct LabelArray {
  FeatureMatrix matrix;
  std::string source;              ///< of the array, for messages
  bool flat = false;               ///< it has one dimension: one class, or class numbers by mistake
  std::vector<std::string> names;  ///< of the columns, from the file; may be empty
  std::size_t bytes = 0;           ///< of its file
};

/// Sets labels and label_names of `data`, whose features are there. Columns are matched by name if both the file and
/// the caller name them, otherwise by position. Throws Error if rows, classes, names or values do not fit.
void set_labels(const LabelArray& array, const ReadOptions& options, FeatureData& data);

}  // namespace mlpac
