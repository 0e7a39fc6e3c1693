#include "data/matrix_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mlpac {

std::int32_t MatrixBuilder::end_row() {
  const auto first = static_cast<std::size_t>(matrix_->offsets.back());
  matrix_->offsets.push_back(static_cast<std::int64_t>(matrix_->indices.size()));
  if (sorted_) return -1;
  sorted_ = true;
  std::vector<std::pair<std::int32_t, float>> row;
  for (std::size_t k = first; k < matrix_->indices.size(); ++k) {
    row.emplace_back(matrix_->indices[k], matrix_->values[k]);
  }
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::int32_t twice = -1;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k > 0 && row[k].first == row[k - 1].first) twice = row[k].first;
    matrix_->indices[first + k] = row[k].first;
    matrix_->values[first + k] = row[k].second;
  }
  return twice;
}

}  // namespace mlpac
