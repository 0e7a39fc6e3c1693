// The label matrix: rows are instances, columns are classes, three states.
//
// The convention is fixed when data is read and never reinterpreted: +1 annotated positive, 0 unknown, -1 known
// negative. Unknown entries are not stored. Hiding, splitting, enhancement, suggestion and metrics all work on this
// matrix and on row numbers; they know nothing of images or documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mlpac {

inline constexpr std::int8_t kAnnotated = 1;
inline constexpr std::int8_t kUnknown = 0;
inline constexpr std::int8_t kKnownNegative = -1;

/// One stored (not unknown) entry of a row.
struct LabelEntry {
  std::int32_t column = 0;
  std::int8_t state = kAnnotated;
  friend bool operator==(const LabelEntry&, const LabelEntry&) = default;
};

/// Sparse rows of (class, state); rows are appended in order and each row is sorted by class.
class Labels {
 public:
  Labels() = default;
  explicit Labels(std::int32_t classes) : classes_(classes) {}

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  std::int32_t classes() const { return classes_; }

  /// Stored entries of a row, sorted by class.
  std::span<const LabelEntry> row(std::int64_t row) const;
  /// State of one entry; kUnknown if it is not stored.
  std::int8_t at(std::int64_t row, std::int32_t column) const;
  /// Number of entries in a state that is stored (kAnnotated or kKnownNegative).
  std::int64_t count(std::int8_t state) const;
  /// The same for every class.
  std::vector<std::int64_t> count_per_class(std::int8_t state) const;

  /// Appends a row. Entries may come in any order; unknown ones are dropped. Throws Error for a class out of range or
  /// one named twice with different states.
  void append(std::vector<LabelEntry> entries);

  /// The given rows, in the given order.
  Labels select(std::span<const std::int64_t> rows) const;

  friend bool operator==(const Labels&, const Labels&) = default;

 private:
  std::int32_t classes_ = 0;
  std::vector<std::int64_t> offsets_{0};
  std::vector<LabelEntry> entries_;
};

}  // namespace mlpac
