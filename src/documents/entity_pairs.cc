#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "mlpac/documents.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// The number of each pair in a list; -1 for one that is not there.
class PairNumbers {
 public:
  PairNumbers(std::size_t entities, std::span<const EntityPair> pairs) : entities_(entities) {
    numbers_.resize(entities * entities, -1);
    for (std::size_t i = 0; i < pairs.size(); ++i) (*this)(pairs[i].head, pairs[i].tail) = static_cast<std::int32_t>(i);
  }
  std::int32_t& operator()(std::int32_t head, std::int32_t tail) {
    return numbers_[static_cast<std::size_t>(head) * entities_ + static_cast<std::size_t>(tail)];
  }

 private:
  std::size_t entities_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace

std::vector<EntityPair> entity_pairs(const Document& document) {
  const std::size_t entities = document.entities.size();
  std::vector<EntityPair> pairs;
  PairNumbers numbers(entities, {});
  const auto add = [&](std::int32_t head, std::int32_t tail) {
    if (numbers(head, tail) >= 0) return;
    numbers(head, tail) = static_cast<std::int32_t>(pairs.size());
    pairs.push_back({head, tail});
  };
  for (const Triple& triple : document.triples) add(triple.head, triple.tail);
  for (std::int32_t head = 0; head < static_cast<std::int32_t>(entities); ++head) {
    for (std::int32_t tail = 0; tail < static_cast<std::int32_t>(entities); ++tail) {
      if (head != tail) add(head, tail);
    }
  }
  return pairs;
}

void append_pair_labels(const Document& document, std::span<const EntityPair> pairs, Labels& labels) {
  PairNumbers numbers(document.entities.size(), pairs);
  std::vector<std::vector<LabelEntry>> rows(pairs.size());
  for (const Triple& triple : document.triples) {
    const std::int32_t row = numbers(triple.head, triple.tail);
    if (row >= 0) rows[static_cast<std::size_t>(row)].push_back({triple.relation, kAnnotated});
  }
  for (std::vector<LabelEntry>& row : rows) {
    // The same triple may be listed twice, with other evidence.
    std::sort(row.begin(), row.end(), [](const LabelEntry& a, const LabelEntry& b) { return a.column < b.column; });
    row.erase(std::unique(row.begin(), row.end()), row.end());
    labels.append(std::move(row));
  }
}

std::vector<std::uint8_t> target_row(std::span<const LabelEntry> row, std::int32_t relations) {
  std::vector<std::uint8_t> target(static_cast<std::size_t>(relations), 0);
  bool none = true;
  for (const LabelEntry& entry : row) {
    if (entry.state != kAnnotated) continue;
    target.at(static_cast<std::size_t>(entry.column)) = 1;
    none = false;
  }
  if (none && !target.empty()) target.front() = 1;
  return target;
}

std::vector<EvidenceCount> evidence_counts(const Document& document, std::span<const EntityPair> pairs) {
  PairNumbers numbers(document.entities.size(), pairs);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> counts;
  for (const Triple& triple : document.triples) {
    const std::int32_t pair = numbers(triple.head, triple.tail);
    if (pair < 0) continue;
    for (const std::int32_t sentence : triple.evidence) ++counts[{pair, sentence}];
  }
  std::vector<EvidenceCount> result;
  result.reserve(counts.size());
  for (const auto& [place, count] : counts) result.push_back({place.first, place.second, count});
  return result;
}

}  // namespace mlpac
