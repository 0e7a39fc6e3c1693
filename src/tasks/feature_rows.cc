#include "tasks/feature_rows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "mlpac/error.h"
#include "nn/upload.h"

namespace mlpac {

namespace {

/// All rows as dense numbers in memory, and later where they are used.
class DenseRows : public Dataset {
 public:
  DenseRows(const FeatureView& features, const Normaliser& normaliser)
      : dense_(at::empty({features.rows(), features.columns()}, at::kFloat)) {
    features.in_order([&](std::int64_t row) {
      normaliser.apply(features, row, dense_.data_ptr<float>() + row * features.columns());
    });
  }

  std::int64_t items() const override { return dense_.size(0); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    if (dense_.device() != device) dense_ = dense_.to(device);  // once: small data lives where it is used
    const auto index = torch::from_blob(batch.rows.data(), {static_cast<std::int64_t>(items.size())}, at::kLong);
    batch.inputs = {dense_.index_select(0, upload(index, device))};
  }

 private:
  mutable at::Tensor dense_;
};

/// Rows that become dense numbers when they are used: too many for memory, or in a file.
class GatheredRows : public Dataset, private ItemSource {
 public:
  GatheredRows(FeatureView features, Normaliser normaliser)
      : features_(std::move(features)), normaliser_(std::move(normaliser)) {}

  std::int64_t items() const override { return features_.rows(); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    const auto bytes = at::empty({static_cast<std::int64_t>(items.size()), item_shape().front()}, at::kByte);
    const auto size = static_cast<std::size_t>(bytes.size(1));
    auto* const out = bytes.data_ptr<std::uint8_t>();
    at::parallel_for(0, bytes.size(0), 64, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        make(items[i], std::nullopt, {out + i * size, size});
      }
    });
    collate(items, bytes, device, batch);
  }

  const ItemSource* source(bool /*training*/) const override { return this; }

 private:
  std::vector<std::int64_t> item_shape() const override {
    return {features_.columns() * static_cast<std::int64_t>(sizeof(float))};
  }
  void announce(std::span<const std::int64_t> items) const override { features_.will_need(items); }
  /// Copying a row takes so little that threads beside those that compute, where these are many, would only disturb
  /// them.
  bool worth_threads(at::Device device) const override { return !device.is_cpu() || at::get_num_threads() == 1; }
  void make(std::int64_t item, std::optional<std::uint64_t> /*key*/, std::span<std::uint8_t> bytes) const override {
    normaliser_.apply(features_, item, reinterpret_cast<float*>(bytes.data()));
  }
  void collate(std::span<const std::int64_t> items, const at::Tensor& bytes, at::Device device,
               Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    batch.inputs = {bytes.view(at::kFloat).to(device, /*non_blocking=*/true)};
  }

  FeatureView features_;
  Normaliser normaliser_;
};

/// Rows that stay sparse, scaled when they are used.
class CompressedRows : public Dataset {
 public:
  CompressedRows(FeatureView features, const Normaliser& normaliser)
      : rows_(std::move(features)), scaler_(normaliser, rows_) {}

  std::int64_t items() const override { return rows_.rows(); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    rows_.will_need(items);
    std::vector<std::int32_t> columns;
    std::vector<float> values;
    auto offsets = at::empty({static_cast<std::int64_t>(items.size()) + 1}, at::kInt);
    auto* end = offsets.data_ptr<std::int32_t>();
    *end = 0;
    for (const std::int64_t item : items) {
      scaler_.visit(rows_, item, [&](std::int32_t column, float value) {
        columns.push_back(column);
        values.push_back(value);
      });
      if (columns.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw Error("a batch has more than 2 billion values that are not 0; use a smaller --batch");
      }
      *++end = static_cast<std::int32_t>(columns.size());
    }
    const auto stored = static_cast<std::int64_t>(columns.size());
    batch.inputs = {upload(offsets, device),
                    upload(torch::from_blob(columns.data(), {stored}, at::kInt).clone(), device),
                    upload(torch::from_blob(values.data(), {stored}, at::kFloat).clone(), device)};
  }

 private:
  FeatureView rows_;
  SparseScaler scaler_;
};

}  // namespace

bool worth_sparse(const FeatureView& features) {
  constexpr std::int32_t kManyColumns = 512;
  constexpr double kFew = 0.05;
  const double cells = static_cast<double>(features.rows()) * features.columns();
  return features.columns() >= kManyColumns && static_cast<double>(features.stored()) < kFew * cells;
}

std::shared_ptr<const Dataset> feature_rows(FeatureView features, const Normaliser& normaliser, bool sparse,
                                            std::int64_t memory) {
  if (sparse) return std::make_shared<CompressedRows>(std::move(features), normaliser);
  const double bytes = static_cast<double>(sizeof(float)) * static_cast<double>(features.rows()) * features.columns();
  if (bytes > static_cast<double>(memory)) return std::make_shared<GatheredRows>(std::move(features), normaliser);
  return std::make_shared<DenseRows>(features, normaliser);
}

}  // namespace mlpac
