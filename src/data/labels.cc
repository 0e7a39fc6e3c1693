#include "mlpac/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {

std::span<const LabelEntry> Labels::row(std::int64_t row) const {
  const auto first = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(row)]);
  const auto last = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(row) + 1]);
  return std::span(entries_).subspan(first, last - first);
}

std::int8_t Labels::at(std::int64_t row, std::int32_t column) const {
  const std::span<const LabelEntry> entries = this->row(row);
  const auto found =
      std::lower_bound(entries.begin(), entries.end(), column,
                       [](const LabelEntry& entry, std::int32_t wanted) { return entry.column < wanted; });
  return found != entries.end() && found->column == column ? found->state : kUnknown;
}

std::int64_t Labels::count(std::int8_t state) const {
  return std::count_if(entries_.begin(), entries_.end(),
                       [state](const LabelEntry& entry) { return entry.state == state; });
}

std::vector<std::int64_t> Labels::count_per_class(std::int8_t state) const {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(classes_), 0);
  for (const LabelEntry& entry : entries_) {
    if (entry.state == state) ++counts[static_cast<std::size_t>(entry.column)];
  }
  return counts;
}

void Labels::append(std::vector<LabelEntry> entries) {
  std::erase_if(entries, [](const LabelEntry& entry) { return entry.state == kUnknown; });
  const auto before = [](const LabelEntry& a, const LabelEntry& b) { return a.column < b.column; };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::sort(entries.begin(), entries.end(), before);
  // Everything is checked before anything is stored, so that a row that is refused leaves the matrix as it was.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const LabelEntry& entry = entries[i];
    if (entry.column < 0 || entry.column >= classes_) {
      throw Error(
          fmt::format("row {}: class {} is out of range, expected 0 to {}", rows(), entry.column, classes_ - 1));
    }
    if (entry.state != kAnnotated && entry.state != kKnownNegative) {
      throw Error(
          fmt::format("row {}: label state {} of class {}, expected 1, 0 or -1", rows(), entry.state, entry.column));
    }
    if (i > 0 && entries[i - 1].column == entry.column && entries[i - 1].state != entry.state) {
      throw Error(fmt::format("row {}: class {} is given as positive and as negative", rows(), entry.column));
    }
  }
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  offsets_.push_back(static_cast<std::int64_t>(entries_.size()));
}

Labels Labels::select(std::span<const std::int64_t> rows) const {
  Labels selected(classes_);
  selected.offsets_.reserve(rows.size() + 1);
  for (const std::int64_t row : rows) {
    if (row < 0 || row >= this->rows())
      throw Error(fmt::format("row {} of a label matrix of {} rows", row, this->rows()));
    const std::span<const LabelEntry> entries = this->row(row);
    selected.entries_.insert(selected.entries_.end(), entries.begin(), entries.end());
    selected.offsets_.push_back(static_cast<std::int64_t>(selected.entries_.size()));
  }
  return selected;
}

}  // namespace mlpac
