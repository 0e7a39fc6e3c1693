// Rows of a FeatureMatrix as a reader finds them: values in any order, one row after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mlpac/feature_data.h"

namespace mlpac {

class MatrixBuilder {
 public:
  explicit MatrixBuilder(FeatureMatrix& matrix) : matrix_(&matrix) {}

  /// A value of the current row. Zeros may be left out.
  void put(std::int32_t column, float value) {
    const bool first = matrix_->indices.size() == static_cast<std::size_t>(matrix_->offsets.back());
    if (!first && matrix_->indices.back() >= column) sorted_ = false;
    matrix_->indices.push_back(column);
    matrix_->values.push_back(value);
  }

  /// Ends the row and sorts it. A column that was given twice, or -1.
  std::int32_t end_row();

  /// A row of a few bytes may set thousands of columns; this stops a file from taking all memory.
  bool full() const { return matrix_->indices.size() > (std::size_t{1} << 31U); }

 private:
  FeatureMatrix* matrix_;
  bool sorted_ = true;
};

}  // namespace mlpac
