#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "data/array_matrix.h"
#include "data/npy.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

/// Converts the rows in two passes: one checks and counts, so that memory is allocated once and only for values that
/// are not 0; one stores.
class DenseReader {
 public:
  DenseReader(const NpyArray& array, std::string_view expected)
      : array_(array),
        expected_(expected),
        rows_(array.header.shape[0]),
        columns_(array.header.shape.size() == 1 ? 1 : array.header.shape[1]),
        fortran_(array.header.fortran && columns_ > 1) {
    if (rows_ == 0) array.fail("the array has no rows, expected at least one");
    if (columns_ == 0) array.fail("the array has no columns, expected at least one");
    if (columns_ > std::numeric_limits<std::int32_t>::max()) {
      array.fail(fmt::format("the array has {} columns, expected at most 2147483647", columns_));
    }
    // A block stays in the cache between its conversion and its use. Of columns that lie apart (Fortran order), each
    // is read in pieces of several cache lines.
    const std::int64_t fitting = std::max<std::int64_t>(kBlockElements / columns_, fortran_ ? 64 : 1);
    block_rows_ = std::min(rows_, fitting);
    block_.resize(static_cast<std::size_t>(block_rows_ * columns_));
    if (fortran_) piece_.resize(static_cast<std::size_t>(block_rows_));
  }

  FeatureMatrix read() {
    FeatureMatrix matrix;
    matrix.columns = static_cast<std::int32_t>(columns_);
    matrix.offsets.reserve(static_cast<std::size_t>(rows_) + 1);
    for_each_row([&](std::int64_t row, std::span<const float> values) { count(row, values, matrix); });
    // One more than needed: storing a value and then counting it only if it is not 0 spares a branch per value.
    const auto stored = static_cast<std::size_t>(matrix.offsets.back());
    matrix.indices.resize(stored + 1);
    matrix.values.resize(stored + 1);
    for_each_row([&](std::int64_t row, std::span<const float> values) { store(row, values, matrix); });
    matrix.indices.resize(stored);
    matrix.values.resize(stored);
    return matrix;
  }

 private:
  static constexpr std::int64_t kBlockElements = std::int64_t{1} << 15U;

  template <typename Use>
  void for_each_row(const Use& use) {
    for (std::int64_t first = 0; first < rows_; first += block_rows_) {
      const std::int64_t count = std::min(block_rows_, rows_ - first);
      fill_block(first, count);
      for (std::int64_t i = 0; i < count; ++i) {
        use(first + i, std::span<const float>(block_).subspan(static_cast<std::size_t>(i * columns_),
                                                              static_cast<std::size_t>(columns_)));
      }
    }
  }

  void fill_block(std::int64_t first, std::int64_t count) {
    if (!fortran_) {
      to_floats(array_, first * columns_, std::span(block_).first(static_cast<std::size_t>(count * columns_)));
      return;
    }
    const std::span<float> piece = std::span(piece_).first(static_cast<std::size_t>(count));
    for (std::int64_t column = 0; column < columns_; ++column) {
      to_floats(array_, column * rows_ + first, piece);
      float* to = block_.data() + column;
      for (const float value : piece) {
        *to = value;
        to += columns_;
      }
    }
  }

  void count(std::int64_t row, std::span<const float> values, FeatureMatrix& matrix) const {
    std::int64_t stored = 0;
    unsigned infinite = 0;
    for (const float value : values) {
      stored += value != 0 ? 1 : 0;
      infinite |= std::abs(value) == std::numeric_limits<float>::infinity() ? 1U : 0U;
    }
    if (infinite != 0) fail_infinite(row, values);
    matrix.offsets.push_back(matrix.offsets.back() + stored);
    if (matrix.offsets.back() > std::int64_t{1} << 31U) {
      array_.fail("the array has more than 2 billion values that are not 0, expected fewer; split the file");
    }
  }

  static void store(std::int64_t row, std::span<const float> values, FeatureMatrix& matrix) {
    const auto first = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
    float* value_at = matrix.values.data() + first;
    std::int32_t* index_at = matrix.indices.data() + first;
    if (last - first == values.size()) {
      std::copy(values.begin(), values.end(), value_at);
      std::iota(index_at, index_at + values.size(), 0);
      return;
    }
    std::int32_t column = 0;
    for (const float value : values) {
      *value_at = value;
      *index_at = column++;
      const std::ptrdiff_t step = value != 0 ? 1 : 0;
      value_at += step;
      index_at += step;
    }
  }

  [[noreturn]] void fail_infinite(std::int64_t row, std::span<const float> values) const {
    const auto at = std::find_if(values.begin(), values.end(), [](float value) { return std::isinf(value); });
    const std::int64_t column = at - values.begin();
    const double value = number_at(array_, fortran_ ? column * rows_ + row : row * columns_ + column);
    array_.fail(fmt::format("row {}, column {} (counted from 0) is {}{}, expected {}", row, column, value,
                            std::isinf(value) ? "" : ", too large for float32", expected_));
  }

  const NpyArray& array_;
  std::string_view expected_;
  std::int64_t rows_;
  std::int64_t columns_;
  bool fortran_;
  std::int64_t block_rows_ = 0;
  std::vector<float> block_;  ///< rows as float32
  std::vector<float> piece_;  ///< of one column
};

}  // namespace

FeatureMatrix dense_matrix(const NpyArray& array, std::string_view expected) {
  const std::size_t dimensions = array.header.shape.size();
  if (dimensions != 1 && dimensions != 2) {
    array.fail(
        fmt::format("the array has the shape {}, expected two dimensions, rows and columns; use "
                    "X.reshape(len(X), -1)",
                    shape_text(array)));
  }
  if (!array.numeric()) array.fail("the elements are strings, expected numbers; use X.astype(np.float32)");
  return DenseReader(array, expected).read();
}

}  // namespace mlpac
