#include "priors/binned_columns.h"

#include <algorithm>
#include <cmath>

namespace mlpac {

namespace {

/// Increasing values t such that "above t" and "not above t" both occur.
std::vector<float> edges_of(std::vector<float> stored, std::int64_t rows) {
  std::sort(stored.begin(), stored.end());
  const auto zeros = static_cast<std::size_t>(rows) - stored.size();
  const auto below = static_cast<std::size_t>(std::lower_bound(stored.begin(), stored.end(), 0.0F) - stored.begin());
  const auto at = [&](std::size_t rank) {  // of all rows, those with 0 included
    if (rank < below) return stored[rank];
    return rank < below + zeros ? 0.0F : stored[rank - zeros];
  };
  const auto last = static_cast<std::size_t>(rows) - 1;
  std::vector<float> edges{at(0), at(last / 4), at(last / 2), at(last - last / 4)};
  if (!stored.empty()) edges.push_back(stored[stored.size() / 2]);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.back() >= at(last)) edges.pop_back();
  return edges;
}

std::uint8_t bin_of(const std::vector<float>& edges, float value) {
  return static_cast<std::uint8_t>(std::lower_bound(edges.begin(), edges.end(), value) - edges.begin());
}

}  // namespace

BinnedColumns::BinnedColumns(const FeatureMatrix& features) : rows_(features.rows()) {
  const auto columns = static_cast<std::size_t>(features.columns);
  offsets_.assign(columns + 1, 0);
  for (const std::int32_t column : features.indices) ++offsets_[static_cast<std::size_t>(column) + 1];
  for (std::size_t c = 0; c < columns; ++c) offsets_[c + 1] += offsets_[c];
  row_of_.resize(features.values.size());
  bins_.resize(features.values.size());
  std::vector<float> values(features.values.size());
  auto next = offsets_;
  for (std::int64_t row = 0; row < rows_; ++row) {
    for (auto i = features.offsets[static_cast<std::size_t>(row)];
         i < features.offsets[static_cast<std::size_t>(row) + 1]; ++i) {
      const auto from = static_cast<std::size_t>(i);
      const auto to = next[static_cast<std::size_t>(features.indices[from])]++;
      row_of_[to] = static_cast<std::int32_t>(row);
      values[to] = features.values[from];
    }
  }
  zero_bins_.assign(columns, 0);
  if (rows_ == 0) return;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto first = static_cast<std::ptrdiff_t>(offsets_[c]);
    const auto last = static_cast<std::ptrdiff_t>(offsets_[c + 1]);
    const auto edges = edges_of({values.begin() + first, values.begin() + last}, rows_);
    zero_bins_[c] = bin_of(edges, 0);
    for (auto i = offsets_[c]; i < offsets_[c + 1]; ++i) bins_[i] = bin_of(edges, values[i]);
  }
}

std::vector<std::uint8_t> BinnedColumns::column(std::size_t column) const {
  std::vector<std::uint8_t> result(static_cast<std::size_t>(rows_), zero_bins_[column]);
  for (auto i = offsets_[column]; i < offsets_[column + 1]; ++i)
    result[static_cast<std::size_t>(row_of_[i])] = bins_[i];
  return result;
}

std::vector<double> BinnedColumns::separation(std::span<const std::int32_t> all,
                                              std::span<const std::uint8_t> chosen) const {
  std::vector<std::uint8_t> role(static_cast<std::size_t>(rows_), 0);  // 1: one of all, 2: chosen
  double positives = 0;
  for (const std::int32_t row : all) {
    const auto i = static_cast<std::size_t>(row);
    role[i] = chosen[i] != 0 ? 2 : 1;
    positives += chosen[i] != 0 ? 1 : 0;
  }
  const auto total = static_cast<double>(all.size());
  std::vector<double> result(columns(), 0);
  if (positives == 0) return result;
  for (std::size_t c = 0; c < columns(); ++c) {
    double sum = 0;  // of bins beyond that of 0
    double squares = 0;
    double chosen_sum = 0;
    for (auto i = offsets_[c]; i < offsets_[c + 1]; ++i) {
      const auto own = role[static_cast<std::size_t>(row_of_[i])];
      if (own == 0) continue;
      const double bin = static_cast<double>(bins_[i]) - static_cast<double>(zero_bins_[c]);
      sum += bin;
      squares += bin * bin;
      if (own == 2) chosen_sum += bin;
    }
    const double mean = sum / total;
    const double variance = squares / total - mean * mean;
    if (variance > 0) result[c] = std::abs(chosen_sum / positives - mean) * std::sqrt(positives / variance);
  }
  return result;
}

}  // namespace mlpac
