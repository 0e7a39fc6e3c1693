#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/array_matrix.h"
#include "data/matrix_builder.h"
#include "data/npy.h"
#include "data/npz.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

class CsrReader {
 public:
  CsrReader(const NpzFile& file, const std::string& prefix, std::string_view expected)
      : file_(file), prefix_(prefix), expected_(expected) {}

  FeatureMatrix read() {
    refuse_other_formats();
    read_shape();
    read_offsets();
    read_indices();
    read_values();
    return canonical() ? std::move(matrix_) : rebuilt();
  }

 private:
  NpyArray part(std::string_view name) const { return file_.read(prefix_ + std::string(name)); }

  /// SciPy says in `format` how the parts are meant; prefixed parts may leave it out.
  void refuse_other_formats() const {
    if (!prefix_.empty() && !file_.contains(prefix_ + "format")) return;
    const NpyArray array = part("format");
    std::string format;
    for (const char c : array.bytes) {
      if (c != '\0') format += c;  // padding, and the upper bytes of UCS-4
    }
    if (format != "csr") {
      array.fail(
          fmt::format("the matrix is stored as {}, expected 'csr'; save it with scipy.sparse.save_npz(file, "
                      "X.tocsr())",
                      in_quotes(format)));
    }
  }

  void read_shape() {
    const NpyArray array = part("shape");
    const std::vector<std::int64_t> shape = integer_list(array);
    if (shape.size() != 2) array.fail(fmt::format("there are {} sizes, expected 2, rows and columns", shape.size()));
    if (shape[0] < 1 || shape[1] < 1 || shape[1] > std::numeric_limits<std::int32_t>::max()) {
      array.fail(
          fmt::format("the matrix has {} rows and {} columns, expected at least 1 and at most 2147483647 columns",
                      shape[0], shape[1]));
    }
    rows_ = shape[0];
    matrix_.columns = static_cast<std::int32_t>(shape[1]);
  }

  void read_offsets() {
    const NpyArray array = part("indptr");
    matrix_.offsets = integer_list(array);
    const std::vector<std::int64_t>& offsets = matrix_.offsets;
    const std::uint64_t needed = static_cast<std::uint64_t>(rows_) + 1;
    if (offsets.size() != needed) {
      array.fail(fmt::format("there are {} elements, expected {}, one more than rows", offsets.size(), needed));
    }
    if (offsets[0] != 0) array.fail(fmt::format("the first element is {}, expected 0", offsets[0]));
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      if (offsets[row + 1] < offsets[row]) {
        array.fail(
            fmt::format("row {} (counted from 0) ends at {}, before it begins at {}, expected increasing "
                        "positions",
                        row, offsets[row + 1], offsets[row]));
      }
    }
    if (offsets.back() > std::int64_t{1} << 31U) {
      array.fail("the matrix has more than 2 billion values, expected fewer; split the file");
    }
  }

  void require_count(const NpyArray& array) const {
    if (array.header.shape.size() != 1 || array.header.elements != matrix_.offsets.back()) {
      array.fail(fmt::format("the array has the shape {}, expected ({},), the last element of {}", shape_text(array),
                             matrix_.offsets.back(), in_quotes(prefix_ + "indptr")));
    }
  }

  void read_indices() {
    const NpyArray array = part("indices");
    require_count(array);
    require_integers(array);
    const auto count = static_cast<std::size_t>(array.header.elements);
    matrix_.indices.resize(count);
    std::array<std::int64_t, 4096> columns{};
    for (std::size_t first = 0; first < count; first += columns.size()) {
      const std::span<std::int64_t> some = std::span(columns).first(std::min(columns.size(), count - first));
      to_integers(array, static_cast<std::int64_t>(first), some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (some[i] < 0 || some[i] >= matrix_.columns) {
          array.fail(fmt::format("the index {} of row {} (counted from 0) is out of range, expected 0 to {}", some[i],
                                 row_of(first + i), matrix_.columns - 1));
        }
        matrix_.indices[first + i] = static_cast<std::int32_t>(some[i]);
      }
    }
  }

  void read_values() {
    const NpyArray array = part("data");
    require_count(array);
    matrix_.values.resize(matrix_.indices.size());
    to_floats(array, 0, matrix_.values);
    for (std::size_t k = 0; k < matrix_.values.size(); ++k) {
      if (!std::isinf(matrix_.values[k])) continue;
      const double value = number_at(array, static_cast<std::int64_t>(k));
      array.fail(fmt::format("row {}, column {} (counted from 0) is {}{}, expected {}", row_of(k), matrix_.indices[k],
                             value, std::isinf(value) ? "" : ", too large for float32", expected_));
    }
  }

  /// True if nothing is left to do: rows increase and hold no zeros.
  bool canonical() const {
    for (std::size_t row = 0; row + 1 < matrix_.offsets.size(); ++row) {
      const auto first = static_cast<std::size_t>(matrix_.offsets[row]);
      const auto last = static_cast<std::size_t>(matrix_.offsets[row + 1]);
      for (std::size_t k = first; k < last; ++k) {
        if (matrix_.values[k] == 0 || (k > first && matrix_.indices[k] <= matrix_.indices[k - 1])) return false;
      }
    }
    return true;
  }

  FeatureMatrix rebuilt() const {
    FeatureMatrix result;
    result.columns = matrix_.columns;
    MatrixBuilder builder(result);
    for (std::size_t row = 0; row + 1 < matrix_.offsets.size(); ++row) {
      const auto last = static_cast<std::size_t>(matrix_.offsets[row + 1]);
      for (auto k = static_cast<std::size_t>(matrix_.offsets[row]); k < last; ++k) {
        if (matrix_.values[k] != 0) builder.put(matrix_.indices[k], matrix_.values[k]);
      }
      const std::int32_t twice = builder.end_row();
      if (twice >= 0) {
        throw Error(
            fmt::format("{}({}indices): row {} (counted from 0) has column {} twice, expected once; call "
                        "X.sum_duplicates() before saving",
                        file_.source(), prefix_, row, twice));
      }
    }
    return result;
  }

  /// The row of a stored value.
  std::int64_t row_of(std::size_t k) const {
    const auto& offsets = matrix_.offsets;
    return std::upper_bound(offsets.begin(), offsets.end(), static_cast<std::int64_t>(k)) - offsets.begin() - 1;
  }

  const NpzFile& file_;
  const std::string& prefix_;
  std::string_view expected_;
  std::int64_t rows_ = 0;
  FeatureMatrix matrix_;
};

}  // namespace

FeatureMatrix csr_matrix(const NpzFile& file, const std::string& prefix, std::string_view expected) {
  return CsrReader(file, prefix, expected).read();
}

}  // namespace mlpac
