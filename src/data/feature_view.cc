#include "data/feature_view.h"

#include <fmt/format.h>

#include "mlpac/error.h"

namespace mlpac {

FeatureView::FeatureView(const FeatureMatrix& matrix)
    : rows_(matrix.rows()),
      columns_(matrix.columns),
      own_columns_(matrix.columns),
      stored_(static_cast<std::int64_t>(matrix.values.size())),
      offsets_(matrix.offsets),
      indices_(matrix.indices),
      values_(matrix.values) {}

FeatureView::FeatureView(FeatureMatrix&& matrix) {
  const auto owner = std::make_shared<const FeatureMatrix>(std::move(matrix));
  *this = FeatureView(*owner);
  owner_ = owner;
}

FeatureView::FeatureView(Mapped mapped)
    : rows_(mapped.rows),
      columns_(mapped.columns),
      own_columns_(mapped.columns),
      stored_(mapped.stored),
      dense_(mapped.offsets.empty()),
      foreign_(true),
      indices_(mapped.indices),
      values_(mapped.values),
      file_(std::move(mapped.file)) {
  struct Owned {
    std::vector<std::int64_t> offsets;
    std::shared_ptr<const void> store;
  };
  const auto owned = std::make_shared<const Owned>(Owned{std::move(mapped.offsets), std::move(mapped.owner)});
  offsets_ = owned->offsets;
  owner_ = owned;
}

FeatureView FeatureView::with_columns(std::vector<std::int32_t> targets, std::int32_t columns) const {
  FeatureView view = *this;
  view.targets_ = std::move(targets);
  view.columns_ = columns;
  return view;
}

std::pair<std::size_t, std::size_t> FeatureView::range(std::int64_t row) const {
  const auto at = static_cast<std::size_t>(row);
  if (!dense_) return {static_cast<std::size_t>(offsets_[at]), static_cast<std::size_t>(offsets_[at + 1])};
  const auto width = static_cast<std::size_t>(own_columns_);
  return {at * width, (at + 1) * width};
}

bool FeatureView::copy_dense(std::int64_t row, float* out) const {
  if (!dense_ || !targets_.empty()) return false;
  const auto [first, last] = range(row);
  const auto values = values_.subspan(first, last - first);
  if (file_ != nullptr) {
    file_->copy({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, reinterpret_cast<char*>(out));
  } else {
    std::copy(values.begin(), values.end(), out);
  }
  return true;
}

void FeatureView::fail_damaged() const {
  throw Error(fmt::format("{}: the store is damaged: a column is out of range; see mlpac pack --check",
                          file_ ? file_->source() : "the store"));
}

void FeatureView::will_need(std::int64_t first, std::int64_t last) const {
  if (file_ == nullptr || first >= last) return;
  const auto begin = range(first).first;
  const auto count = range(last - 1).second - begin;
  const auto bytes = [&](const auto& values) {
    const auto some = values.subspan(begin, count);
    return std::string_view(reinterpret_cast<const char*>(some.data()), some.size_bytes());
  };
  file_->will_need(bytes(values_));
  if (!dense_) file_->will_need(bytes(indices_));
}

void FeatureView::will_need(std::span<const std::int64_t> rows) const {
  if (file_ == nullptr) return;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;  // a sweep asks once for what lies together
    will_need(rows[i], rows[end - 1] + 1);
    i = end;
  }
}

namespace {

void append_row(const FeatureView& view, std::int64_t row, FeatureMatrix& matrix) {
  view.visit(row, [&](std::int32_t column, float value) {
    matrix.indices.push_back(column);
    matrix.values.push_back(value);
  });
  matrix.offsets.push_back(static_cast<std::int64_t>(matrix.indices.size()));
}

}  // namespace

FeatureMatrix FeatureView::matrix(std::span<const std::int64_t> rows) const {
  FeatureMatrix result;
  result.columns = columns_;
  will_need(rows);
  for (const std::int64_t row : rows) append_row(*this, row, result);
  return result;
}

FeatureMatrix FeatureView::matrix() const {
  FeatureMatrix result;
  result.columns = columns_;
  in_order([&](std::int64_t row) { append_row(*this, row, result); });
  return result;
}

}  // namespace mlpac
