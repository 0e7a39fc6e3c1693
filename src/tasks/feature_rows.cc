#include "tasks/feature_rows.h"

#include <algorithm>

#include "nn/upload.h"

namespace mlpac {

namespace {

class DenseRows : public Dataset {
 public:
  DenseRows(FeatureMatrix features, Normaliser normaliser)
      : features_(std::move(features)), normaliser_(std::move(normaliser)), rows_(features_.rows()) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 28;  // 1 GiB of float32
    if (features_.rows() * std::max<std::int64_t>(1, features_.columns) > kLimit) return;
    dense_ = at::empty({features_.rows(), features_.columns}, at::kFloat);
    for (std::int64_t row = 0; row < features_.rows(); ++row) {
      normaliser_.apply(features_, row, dense_.data_ptr<float>() + row * features_.columns);
    }
    features_ = {};
  }

  std::int64_t items() const override { return rows_; }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    const auto count = static_cast<std::int64_t>(items.size());
    if (dense_.defined()) {
      if (dense_.device() != device) dense_ = dense_.to(device);  // once: small data lives where it is used
      const auto index = torch::from_blob(batch.rows.data(), {count}, at::kLong);
      batch.inputs = {dense_.index_select(0, upload(index, device))};
      return;
    }
    auto rows = at::empty({count, features_.columns}, at::kFloat);
    for (std::int64_t i = 0; i < count; ++i) {
      normaliser_.apply(features_, items[static_cast<std::size_t>(i)], rows.data_ptr<float>() + i * features_.columns);
    }
    batch.inputs = {upload(rows, device)};
  }

 private:
  FeatureMatrix features_;  ///< empty once it is dense
  Normaliser normaliser_;
  std::int64_t rows_;
  mutable at::Tensor dense_;
};

class CompressedRows : public Dataset {
 public:
  CompressedRows(FeatureMatrix features, const Normaliser& normaliser)
      : features_(normaliser.apply(std::move(features))) {}

  std::int64_t items() const override { return features_.rows(); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    const auto first = [&](std::int64_t row) { return features_.offsets[static_cast<std::size_t>(row)]; };
    auto offsets = at::empty({static_cast<std::int64_t>(items.size()) + 1}, at::kInt);
    auto* const ends = offsets.data_ptr<std::int32_t>();
    ends[0] = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      ends[i + 1] = ends[i] + static_cast<std::int32_t>(first(items[i] + 1) - first(items[i]));
    }
    auto columns = at::empty({ends[items.size()]}, at::kInt);
    auto values = at::empty({ends[items.size()]}, at::kFloat);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto from = first(items[i]);
      const auto count = ends[i + 1] - ends[i];
      std::copy_n(features_.indices.data() + from, count, columns.data_ptr<std::int32_t>() + ends[i]);
      std::copy_n(features_.values.data() + from, count, values.data_ptr<float>() + ends[i]);
    }
    batch.inputs = {upload(offsets, device), upload(columns, device), upload(values, device)};
  }

 private:
  FeatureMatrix features_;
};

}  // namespace

bool worth_sparse(const FeatureMatrix& features) {
  constexpr std::int32_t kManyColumns = 512;
  constexpr double kFew = 0.05;
  const double cells = static_cast<double>(features.rows()) * features.columns;
  return features.columns >= kManyColumns && static_cast<double>(features.values.size()) < kFew * cells;
}

std::shared_ptr<const Dataset> feature_rows(FeatureMatrix features, const Normaliser& normaliser, bool sparse) {
  if (sparse) return std::make_shared<CompressedRows>(std::move(features), normaliser);
  return std::make_shared<DenseRows>(std::move(features), normaliser);
}

}  // namespace mlpac
