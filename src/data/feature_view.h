// Rows of numbers where they lie: in a FeatureMatrix, or in a mapped store. What trains, normalises and estimates reads
// rows through this and does not know which it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mapped_file.h"
#include "mlpac/feature_data.h"

namespace mlpac {

/// Cheap to copy; keeps alive what it points into.
class FeatureView {
 public:
  FeatureView() = default;
  /// Rows in memory. The reference must outlive the view; a matrix that is moved in does.
  explicit FeatureView(const FeatureMatrix& matrix);
  explicit FeatureView(FeatureMatrix&& matrix);

  /// Parts of a mapped file. No `offsets`: every row has a value for every column, those that are 0 included.
  struct Mapped {
    std::int64_t rows = 0;
    std::int32_t columns = 0;
    std::int64_t stored = 0;  ///< values that are not 0
    std::vector<std::int64_t> offsets{};
    std::span<const std::int32_t> indices{};
    std::span<const float> values{};
    std::shared_ptr<const MappedFile> file{};  ///< null: the store is in memory
    std::shared_ptr<const void> owner{};
  };
  explicit FeatureView(Mapped mapped);

  std::int64_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }
  /// Values that are not 0; a missing one counts.
  std::int64_t stored() const { return stored_; }
  /// Whether rows lie in a file, and reading one may take a while.
  bool mapped() const { return file_ != nullptr; }

  /// The same rows with column i at targets[i]; -1: left out. No targets: columns stay where they are.
  FeatureView with_columns(std::vector<std::int32_t> targets, std::int32_t columns) const;

  /// Calls use(column, value) for the stored values of a row, by increasing column. Error if the store is damaged.
  template <typename Use>
  void visit(std::int64_t row, const Use& use) const {
    if (targets_.empty()) return visit_own(row, use);
    std::vector<std::pair<std::int32_t, float>> moved;
    visit_own(row, [&](std::int32_t column, float value) {
      const auto target = targets_[static_cast<std::size_t>(column)];
      if (target >= 0) moved.emplace_back(target, value);
    });
    std::sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : moved) use(column, value);
  }

  /// Copies all values of a row, one for every column, if they lie next to each other; false where they do not. May
  /// copy NaN, which is missing.
  bool copy_dense(std::int64_t row, float* out) const;

  /// The rows will be visited soon.
  void will_need(std::span<const std::int64_t> rows) const;

  /// Calls use(row) for all rows in order, each of which is at hand then.
  template <typename Use>
  void in_order(const Use& use) const {
    constexpr std::int64_t kAhead = 1024;
    for (std::int64_t row = 0; row < rows_; ++row) {
      if (row % kAhead == 0) will_need(row, std::min(rows_, row + 2 * kAhead));
      use(row);
    }
  }

  /// The given rows in memory, and all of them.
  FeatureMatrix matrix(std::span<const std::int64_t> rows) const;
  FeatureMatrix matrix() const;

 private:
  /// First and last stored value of a row.
  std::pair<std::size_t, std::size_t> range(std::int64_t row) const;
  /// All rows from first to last - 1 will be visited.
  void will_need(std::int64_t first, std::int64_t last) const;
  [[noreturn]] void fail_damaged() const;

  template <typename Use>
  void visit_own(std::int64_t row, const Use& use) const {
    const auto [first, last] = range(row);
    if (dense_) {
      for (auto k = first; k < last; ++k) {
        if (values_[k] != 0) use(static_cast<std::int32_t>(k - first), values_[k]);
      }
    } else {
      for (auto k = first; k < last; ++k) {
        // What a file says about columns is not believed: memory is written there.
        if (foreign_ && (indices_[k] < 0 || indices_[k] >= own_columns_)) fail_damaged();
        use(indices_[k], values_[k]);
      }
    }
    if (file_ != nullptr) file_->was_read((last - first) * sizeof(float));
  }

  std::int64_t rows_ = 0;
  std::int32_t columns_ = 0;
  std::int32_t own_columns_ = 0;  ///< before they were moved
  std::int64_t stored_ = 0;
  bool dense_ = false;
  bool foreign_ = false;  ///< from a file that may be damaged
  std::span<const std::int64_t> offsets_;
  std::span<const std::int32_t> indices_;
  std::span<const float> values_;
  std::vector<std::int32_t> targets_;
  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const void> owner_;
};

}  // namespace mlpac
