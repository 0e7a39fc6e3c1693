#include "data/column_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace mlpac {

void ColumnStatistics::add(const FeatureView& features) {
  columns.resize(std::max(columns.size(), static_cast<std::size_t>(features.columns())));
  for (std::int64_t row = 0; row < features.rows(); ++row) {
    features.visit(row, [this](std::int32_t index, float number) {
      auto& column = columns[static_cast<std::size_t>(index)];
      const double value = number;
      ++column.stored;
      if (std::isnan(value)) {
        ++column.missing;
        return;
      }
      column.sum += value;
      column.squares += value * value;
      column.largest = std::max(column.largest, std::abs(value));
    });
  }
  rows += features.rows();
  stored += features.stored();
}

void FeatureFingerprint::add(const FeatureView& features) {
  for (std::int64_t row = 0; row < features.rows(); ++row) {
    auto end = offsets_.back();
    features.visit(row, [&](std::int32_t column, float value) {
      hash_ = mix64(hash_ ^ ((static_cast<std::uint64_t>(column) << 32) | std::bit_cast<std::uint32_t>(value)));
      ++end;
    });
    offsets_.push_back(end);
  }
}

std::string FeatureFingerprint::finish(const Labels& labels) {
  const auto add = [this](std::uint64_t value) { hash_ = mix64(hash_ ^ value); };
  for (const std::int64_t offset : offsets_) add(static_cast<std::uint64_t>(offset));
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    for (const auto& entry : labels.row(row)) {
      add(static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(entry.column * 4 + entry.state));
    }
  }
  return fmt::format("{:016x}", hash_);
}

}  // namespace mlpac
