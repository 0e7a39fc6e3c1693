#include "review/decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::array<std::string_view, 4> kVerdicts{"open", "accept", "reject", "skip"};

std::unordered_map<std::string_view, std::int64_t> numbers_of(std::span<const std::string> names) {
  std::unordered_map<std::string_view, std::int64_t> numbers;
  for (const std::string& name : names) numbers.emplace(name, static_cast<std::int64_t>(numbers.size()));
  return numbers;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) { return kVerdicts.at(static_cast<std::size_t>(verdict)); }

std::optional<Verdict> parse_verdict(std::string_view name) {
  const auto* const found = std::find(kVerdicts.begin() + 1, kVerdicts.end(), name);
  if (found == kVerdicts.end()) return std::nullopt;
  return static_cast<Verdict>(found - kVerdicts.begin());
}

std::optional<ReviewDecision> ReviewDecisions::take_back() {
  if (made_.empty()) return std::nullopt;
  ReviewDecision last = std::move(made_.back());
  made_.pop_back();
  return last;
}

Verdict ReviewDecisions::verdict(std::int64_t row, std::string_view label) const {
  const auto found = std::find_if(made_.rbegin(), made_.rend(), [&](const ReviewDecision& decision) {
    return decision.row == row && decision.label == label;
  });
  return found == made_.rend() ? Verdict::open : found->verdict;
}

std::vector<ReviewDecision> ReviewDecisions::standing() const {
  std::unordered_map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < made_.size(); ++i) last[fmt::format("{} {}", made_[i].row, made_[i].label)] = i;
  std::vector<std::size_t> order;
  order.reserve(last.size());
  for (const auto& [entry, i] : last) order.push_back(i);
  std::sort(order.begin(), order.end());
  std::vector<ReviewDecision> result;
  result.reserve(order.size());
  for (const std::size_t i : order) result.push_back(made_[i]);
  return result;
}

Labels with_decisions(const Labels& labels, std::span<const ReviewDecision> standing, const RowNames& names,
                      const std::string& source) {
  std::vector<std::vector<LabelEntry>> rows;
  rows.reserve(static_cast<std::size_t>(labels.rows()));
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    const auto known = labels.row(row);
    rows.emplace_back(known.begin(), known.end());
  }
  const auto row_of = numbers_of(names.ids);
  const auto column_of = numbers_of(names.labels);
  for (const ReviewDecision& decision : standing) {
    if (decision.verdict != Verdict::accept && decision.verdict != Verdict::reject) continue;
    std::int64_t row = decision.row;
    if (!names.ids.empty()) {
      const auto found = row_of.find(decision.id);
      row = found == row_of.end() ? -1 : found->second;
    }
    if (row < 0 || row >= labels.rows()) {
      throw Error(fmt::format("{}: decides about {}, which is not in the data, expected decisions about this data",
                              source, in_quotes(decision.id)));
    }
    const auto column = column_of.find(decision.label);
    if (column == column_of.end()) {
      throw Error(fmt::format("{}: decides about the label {}, which the data does not have, expected one it has",
                              source, in_quotes(decision.label)));
    }
    auto& entries = rows[static_cast<std::size_t>(row)];
    const auto number = static_cast<std::int32_t>(column->second);
    std::erase_if(entries, [&](const LabelEntry& entry) { return entry.column == number; });
    entries.push_back({number, decision.verdict == Verdict::accept ? kAnnotated : kKnownNegative});
  }
  Labels result(labels.classes());
  for (auto& row : rows) result.append(std::move(row));
  return result;
}

}  // namespace mlpac
