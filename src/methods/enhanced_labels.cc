#include "methods/enhanced_labels.h"

#include <algorithm>
#include <numeric>

#include "nn/upload.h"

namespace mlpac {

void EnhancedLabels::propose(const Batch& batch, const at::Tensor& proposals, bool cumulative) {
  const auto fresh = (proposals & (batch.y == 0)).to(at::kCPU).contiguous();
  const auto classes = fresh.size(1);
  const bool* const flags = fresh.data_ptr<bool>();
  proposed_.insert(proposed_.end(), batch.rows.begin(), batch.rows.end());
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    auto& row = rows_[static_cast<std::size_t>(batch.rows[i])];
    if (!cumulative) row.clear();
    const bool* const line = flags + static_cast<std::int64_t>(i) * classes;
    for (std::int64_t c = 0; c < classes; ++c) {
      const auto column = static_cast<std::int32_t>(c);
      if (line[c] && (!cumulative || !std::binary_search(row.begin(), row.end(), column))) {
        row.insert(std::upper_bound(row.begin(), row.end(), column), column);
      }
    }
  }
}

at::Tensor EnhancedLabels::target(const Batch& batch) const {
  std::vector<std::int64_t> at;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    for (const std::int32_t column : rows_[static_cast<std::size_t>(batch.rows[i])]) {
      at.push_back(static_cast<std::int64_t>(i) * batch.y.size(1) + column);
    }
  }
  if (at.empty()) return batch.y;
  auto target = batch.y.clone();
  target.view(-1).index_fill_(0, upload(torch::tensor(at, at::kLong), target.device()), 1);
  return target;
}

std::int64_t EnhancedLabels::count() const {
  std::int64_t total = 0;
  for (const auto& row : rows_) total += static_cast<std::int64_t>(row.size());
  return total;
}

double EnhancedLabels::precision(const Labels& truth) const {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const std::int32_t column : rows_[i]) {
      right += truth.at(static_cast<std::int64_t>(i), column) == kAnnotated ? 1 : 0;
    }
  }
  const auto total = count();
  return total == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(total);
}

at::Tensor EnhancedLabels::pairs_of(std::span<const std::int64_t> rows) const {
  std::vector<std::int64_t> pairs;
  for (const std::int64_t row : rows) {
    for (const std::int32_t column : rows_[static_cast<std::size_t>(row)]) {
      pairs.push_back(row);
      pairs.push_back(column);
    }
  }
  return torch::tensor(pairs, at::kLong).view({-1, 2});
}

void EnhancedLabels::insert(const at::Tensor& pairs) {
  const auto* const data = pairs.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < pairs.size(0); ++i) {
    rows_.at(static_cast<std::size_t>(data[2 * i])).push_back(static_cast<std::int32_t>(data[2 * i + 1]));
  }
}

void EnhancedLabels::combine(const Group& group) {
  if (!group.alone()) {
    const auto pairs = group.gather(pairs_of(proposed_));
    const auto rows = group.gather(torch::tensor(proposed_, at::kLong));
    for (std::int64_t i = 0; i < rows.numel(); ++i) {
      rows_[static_cast<std::size_t>(rows.data_ptr<std::int64_t>()[i])].clear();
    }
    insert(pairs.contiguous());
  }
  proposed_.clear();
}

void EnhancedLabels::save(State& state, const std::string& name) const {
  std::vector<std::int64_t> rows(rows_.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  state.tensors[name] = pairs_of(rows);
}

void EnhancedLabels::load(const State& state, const std::string& name) {
  for (auto& row : rows_) row.clear();
  insert(state.tensors.at(name));
}

}  // namespace mlpac
