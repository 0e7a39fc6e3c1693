#include "data/label_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/mulan_xml.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// Order of collected names: as numbers if all are numbers.
std::vector<std::size_t> sorted_order(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> numbers(names.size());
  bool all_numbers = true;
  for (std::size_t i = 0; i < names.size() && all_numbers; ++i) all_numbers = parse_index(names[i], numbers[i]);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (all_numbers && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
    return names[a] < names[b];
  });
  return order;
}

}  // namespace

std::vector<std::string> wanted_labels(const ReadOptions& options) {
  if (options.label_file.empty()) return options.label_names;
  std::vector<std::string> names = read_label_names(options.label_file);
  if (options.label_names.empty()) return names;
  const std::unordered_set<std::string> known(options.label_names.begin(), options.label_names.end());
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw Error(
          fmt::format("{}: label {} is not among the {} labels already known, expected the same labels; was the "
                      "model trained on other data?",
                      options.label_file.string(), in_quotes(name), known.size()));
    }
  }
  return options.label_names;
}

LabelCollector::LabelCollector(std::vector<std::string> known, bool required)
    : fixed_(!known.empty()), required_(required), names_(std::move(known)) {
  for (std::size_t i = 0; i < names_.size(); ++i) numbers_.emplace(names_[i], static_cast<std::int32_t>(i));
}

bool LabelCollector::add(std::string_view name) {
  std::int8_t state = kAnnotated;
  key_.assign(name);
  auto found = numbers_.find(key_);
  if (found == numbers_.end() && name.size() > 1 && name.front() == '!') {
    state = kKnownNegative;
    key_.erase(0, 1);
    found = numbers_.find(key_);
  }
  if (found == numbers_.end()) {
    if (fixed_) return !required_;
    found = numbers_.emplace(key_, static_cast<std::int32_t>(names_.size())).first;
    names_.push_back(key_);
  }
  entries_.push_back({found->second, state});
  return true;
}

std::string LabelCollector::end_row() {
  const auto row = entries_.begin() + offsets_.back();
  std::sort(row, entries_.end(), [](const LabelEntry& a, const LabelEntry& b) { return a.column < b.column; });
  entries_.erase(std::unique(row, entries_.end()), entries_.end());
  const auto twice = std::adjacent_find(entries_.begin() + offsets_.back(), entries_.end(),
                                        [](const LabelEntry& a, const LabelEntry& b) { return a.column == b.column; });
  offsets_.push_back(static_cast<std::int64_t>(entries_.size()));
  return twice == entries_.end() ? std::string() : names_[static_cast<std::size_t>(twice->column)];
}

void LabelCollector::finish(FeatureData& data) {
  std::vector<std::int32_t> column(names_.size());
  std::iota(column.begin(), column.end(), 0);
  if (!fixed_) {
    const std::vector<std::size_t> order = sorted_order(names_);
    std::vector<std::string> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      column[order[i]] = static_cast<std::int32_t>(i);
      sorted.push_back(std::move(names_[order[i]]));
    }
    names_ = std::move(sorted);
  }
  data.labels = Labels(static_cast<std::int32_t>(names_.size()));
  std::vector<LabelEntry> row;
  for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
    row.assign(entries_.begin() + offsets_[i], entries_.begin() + offsets_[i + 1]);
    for (LabelEntry& entry : row) entry.column = column[static_cast<std::size_t>(entry.column)];
    data.labels.append(row);
  }
  data.label_names = names_;
}

}  // namespace mlpac
