// Features column by column in a few bins: what decision trees split on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlpac/feature_data.h"

namespace mlpac {

class BinnedColumns {
 public:
  static constexpr std::size_t kBins = 6;  ///< at most

  BinnedColumns() = default;
  /// Edges are the least value, the quartiles, and the median of what is not 0; equal ones count once.
  explicit BinnedColumns(const FeatureMatrix& features);

  std::int64_t rows() const { return rows_; }
  std::size_t columns() const { return zero_bins_.size(); }
  /// The bin of every row.
  std::vector<std::uint8_t> column(std::size_t column) const;
  /// How far the mean bin of `chosen` rows lies from that of `all` (which hold them), in standard errors, per column.
  std::vector<double> separation(std::span<const std::int32_t> all, std::span<const std::uint8_t> chosen) const;

 private:
  std::int64_t rows_ = 0;
  std::vector<std::size_t> offsets_{0};  ///< of the stored values of every column
  std::vector<std::int32_t> row_of_;     ///< of every stored value
  std::vector<std::uint8_t> bins_;       ///< of every stored value
  std::vector<std::uint8_t> zero_bins_;  ///< of 0, per column
};

}  // namespace mlpac
