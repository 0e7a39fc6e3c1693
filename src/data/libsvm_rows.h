// The features of libsvm rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "data/libsvm_lines.h"
#include "data/line_reader.h"
#include "data/matrix_builder.h"
#include "mlpac/feature_data.h"

namespace mlpac {

/// Appends rows of `index:value` to a matrix: one pass over the bytes, nothing allocated per value.
class LibsvmRows {
 public:
  /// `bytes`: size of the whole file, to reserve memory once it is known how many values a megabyte has; 0 if unknown.
  LibsvmRows(const std::optional<LibsvmShape>& shape, std::size_t bytes, const LineReader& lines,
             FeatureMatrix& matrix);

  /// The next row, without its labels. Throws Error if it is malformed.
  void add_row(std::string_view features);

  /// Sets the number of columns. Throws Error if there are none.
  void finish();

 private:
  /// Makes room for a row of so many bytes. The vectors' own growth would copy hundreds of megabytes late in a file.
  void reserve(std::size_t row_bytes);
  /// An index that is not a few digits and a colon; moves `at` behind the colon. -1 if it was a query number.
  std::int64_t unusual_index(const char*& at, const char* end) const;
  /// A value that is not a short number; moves `at` behind it.
  float unusual_value(const char*& at, const char* end, std::int64_t index) const;
  void drop_zeros(std::size_t first);
  [[noreturn]] void fail_range(std::int64_t index) const;

  const LineReader* lines_;
  FeatureMatrix* matrix_;
  MatrixBuilder builder_;
  bool declared_;
  std::int64_t limit_;         ///< of indices
  std::int64_t largest_ = -1;  ///< index so far
  std::size_t bytes_;
  std::size_t bytes_read_ = 0;
};

}  // namespace mlpac
