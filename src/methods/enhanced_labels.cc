#include "methods/enhanced_labels.h"

#include <algorithm>

#include "nn/upload.h"

namespace mlpac {

void EnhancedLabels::propose(const Batch& batch, const at::Tensor& proposals, bool cumulative) {
  const auto fresh = (proposals & (batch.y == 0)).to(at::kCPU).contiguous();
  const auto classes = fresh.size(1);
  const bool* const flags = fresh.data_ptr<bool>();
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

void EnhancedLabels::save(State& state, const std::string& name) const {
  std::vector<std::int64_t> pairs;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const std::int32_t column : rows_[i]) {
      pairs.push_back(static_cast<std::int64_t>(i));
      pairs.push_back(column);
    }
  }
  state.tensors[name] = torch::tensor(pairs, at::kLong).view({-1, 2});
}

void EnhancedLabels::load(const State& state, const std::string& name) {
  for (auto& row : rows_) row.clear();
  const auto& pairs = state.tensors.at(name);
  const auto* const data = pairs.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < pairs.size(0); ++i) {
    rows_.at(static_cast<std::size_t>(data[2 * i])).push_back(static_cast<std::int32_t>(data[2 * i + 1]));
  }
}

}  // namespace mlpac
