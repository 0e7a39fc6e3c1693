#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "mlpac/suggestions.h"

namespace mlpac {

bool ranks_before(const Suggestion& a, const Suggestion& b) {
  return std::tuple(-a.probability, -a.policy, a.row, a.label) < std::tuple(-b.probability, -b.policy, b.row, b.label);
}

SuggestionRanker::SuggestionRanker(const SuggestionBudget& budget, std::int32_t labels)
    : budget_(budget), heaps_(budget.per_label > 0 ? static_cast<std::size_t>(labels) : 1) {}

void SuggestionRanker::offer(Heap& heap, std::int64_t limit, const Suggestion& suggestion) {
  // The least sure of those kept is in front.
  if (limit == 0 || static_cast<std::int64_t>(heap.size()) < limit) {
    heap.push_back(suggestion);
    if (limit > 0) std::push_heap(heap.begin(), heap.end(), ranks_before);
    return;
  }
  if (!ranks_before(suggestion, heap.front())) return;
  std::pop_heap(heap.begin(), heap.end(), ranks_before);
  heap.back() = suggestion;
  std::push_heap(heap.begin(), heap.end(), ranks_before);
}

void SuggestionRanker::add_row(std::span<Suggestion> suggestions) {
  const auto end = std::partition(suggestions.begin(), suggestions.end(), [&](const Suggestion& suggestion) {
    return suggestion.probability >= budget_.min_probability;
  });
  auto wanted = end - suggestions.begin();
  if (budget_.per_row > 0 && wanted > budget_.per_row) {
    wanted = budget_.per_row;
    std::partial_sort(suggestions.begin(), suggestions.begin() + wanted, end, ranks_before);
  }
  const bool by_label = budget_.per_label > 0;
  for (const auto& suggestion : suggestions.first(static_cast<std::size_t>(wanted))) {
    offer(heaps_[by_label ? static_cast<std::size_t>(suggestion.label) : 0],
          by_label ? budget_.per_label : budget_.total, suggestion);
  }
}

std::vector<Suggestion> SuggestionRanker::take() {
  std::vector<Suggestion> ranked;
  for (auto& heap : heaps_) {
    ranked.insert(ranked.end(), heap.begin(), heap.end());
    heap = {};
  }
  std::sort(ranked.begin(), ranked.end(), ranks_before);
  if (budget_.total > 0 && std::cmp_greater(ranked.size(), budget_.total)) {
    ranked.resize(static_cast<std::size_t>(budget_.total));
  }
  return ranked;
}

std::size_t count_with_precision(std::span<const Suggestion> ranked, double precision) {
  // Probabilities fall along the ranking, and with them their mean.
  double sum = 0;
  std::size_t count = 0;
  for (const auto& suggestion : ranked) {
    sum += suggestion.probability;
    if (sum < precision * static_cast<double>(count + 1)) break;
    ++count;
  }
  return count;
}

double estimated_precision(std::span<const Suggestion> ranked, std::size_t count) {
  double sum = 0;
  for (const auto& suggestion : ranked.first(std::min(count, ranked.size()))) sum += suggestion.probability;
  return ranked.empty() || count == 0 ? 0 : sum / static_cast<double>(std::min(count, ranked.size()));
}

}  // namespace mlpac
