#include "train/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/random.h"
#include "nn/upload.h"

namespace mlpac {

at::Tensor dense_labels(const Labels& labels, std::span<const std::int64_t> rows, at::Device device) {
  const std::int64_t classes = labels.classes();
  auto dense = at::zeros({static_cast<std::int64_t>(rows.size()), classes}, at::kFloat);
  auto* out = dense.data_ptr<float>();
  for (const std::int64_t row : rows) {
    for (const auto& entry : labels.row(row)) out[entry.column] = entry.state;
    out += classes;
  }
  return upload(dense, device);
}

Labels item_labels(const Problem& problem) {
  Labels result(problem.annotated.classes());
  for (std::int64_t item = 0; item < problem.train->items(); ++item) {
    std::set<std::int32_t> columns;
    for (const auto row : problem.train->label_rows({&item, 1})) {
      for (const auto& entry : problem.annotated.row(row)) {
        if (entry.state == kAnnotated) columns.insert(entry.column);
      }
    }
    std::vector<LabelEntry> entries;
    for (const auto column : columns) entries.push_back({column, kAnnotated});
    result.append(std::move(entries));
  }
  return result;
}

std::vector<std::int64_t> items_of(const Split& split) {
  auto items = split.train;
  items.insert(items.end(), split.validation.begin(), split.validation.end());
  std::sort(items.begin(), items.end());
  return items;
}

Problem without_items(Problem problem, std::span<const std::int64_t> items) {
  std::vector<bool> left_out(static_cast<std::size_t>(problem.train->items()), false);
  std::uint64_t hash = fnv1a64(problem.fingerprint);
  for (const auto item : items) {
    left_out[static_cast<std::size_t>(item)] = true;
    hash = mix64(hash ^ static_cast<std::uint64_t>(item));
  }
  const auto is_left_out = [&](std::int64_t item) { return left_out[static_cast<std::size_t>(item)]; };
  for (auto& split : problem.folds) {
    std::erase_if(split.train, is_left_out);
    std::erase_if(split.validation, is_left_out);
  }
  problem.fingerprint = fmt::format("{:016x}", hash);
  return problem;
}

std::vector<std::int64_t> all_items(const Dataset& data) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(data.items()));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  return items;
}

}  // namespace mlpac
