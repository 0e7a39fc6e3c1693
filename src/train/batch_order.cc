#include "train/batch_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"

namespace mlpac {

namespace {

/// The items in the order of their keyed draws, or of those of their blocks.
std::vector<std::int64_t> shuffled(std::vector<std::int64_t> items, std::uint64_t stream, std::int64_t epoch,
                                   std::int64_t block = 1) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> keyed;
  keyed.reserve(items.size());
  for (const std::int64_t item : items) {
    keyed.emplace_back(row_key(stream, static_cast<std::uint64_t>(epoch), static_cast<std::uint64_t>(item / block)),
                       item);
  }
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), items.begin(), [](const auto& pair) { return pair.second; });
  return items;
}

std::int64_t size_of(const BatchPlan& plan, std::int64_t batch) {
  return plan.positives > 0 && plan.unlabelled > 0 ? plan.unlabelled : batch;
}

}  // namespace

BatchOrder::BatchOrder(std::vector<std::int64_t> items, std::vector<std::int64_t> annotated, const BatchPlan& plan,
                       std::int64_t batch, std::uint64_t seed, std::int64_t epoch, std::span<const std::int64_t> costs,
                       std::int64_t block)
    : order_(shuffled(std::move(items), stream_key(seed, "shuffle"), epoch, block)),
      annotated_(std::move(annotated)),
      plan_(plan),
      size_(size_of(plan, batch)),
      seed_(seed),
      epoch_(epoch) {
  if (!costs.empty()) group_by_cost(costs);
}

/// Sorts within stretches of the shuffled order, which keeps batches different from epoch to epoch, and then shuffles
/// the batches.
void BatchOrder::group_by_cost(std::span<const std::int64_t> costs) {
  constexpr std::size_t kBatches = 32;
  const auto size = static_cast<std::size_t>(size_);
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t i = 0; i < order_.size(); i += kBatches * size) {
    std::stable_sort(at(i), at(std::min(i + kBatches * size, order_.size())), [&](std::int64_t a, std::int64_t b) {
      return costs[static_cast<std::size_t>(a)] < costs[static_cast<std::size_t>(b)];
    });
  }
  std::vector<std::int64_t> batches(order_.size() / size);  // one that is not full stays the last
  std::iota(batches.begin(), batches.end(), std::int64_t{0});
  std::vector<std::int64_t> result;
  for (const std::int64_t batch : shuffled(std::move(batches), stream_key(seed_, "shuffle-batches"), epoch_)) {
    const auto first = static_cast<std::size_t>(batch) * size;
    result.insert(result.end(), at(first), at(first + size));
  }
  result.insert(result.end(), at(result.size()), order_.end());
  order_ = std::move(result);
}

std::int64_t BatchOrder::steps(std::size_t items, const BatchPlan& plan, std::int64_t batch) {
  const auto size = size_of(plan, batch);
  return (static_cast<std::int64_t>(items) + size - 1) / size;
}

BatchOrder::Step BatchOrder::step(std::int64_t step) const {
  const auto first = static_cast<std::size_t>(step * size_);
  if (first >= order_.size()) return {};
  Step result;
  if (plan_.positives > 0 && !annotated_.empty()) {
    result.items = annotated_again(step * plan_.positives);
    result.drawn_positives = plan_.positives;
  }
  const auto last = std::min(first + static_cast<std::size_t>(size_), order_.size());
  result.items.insert(result.items.end(), order_.begin() + static_cast<std::ptrdiff_t>(first),
                      order_.begin() + static_cast<std::ptrdiff_t>(last));
  return result;
}

BatchOrder::Step BatchOrder::Step::part(std::int64_t part, std::int64_t parts) const {
  if (parts == 1) return *this;
  Step result;
  for (auto i = part; i < static_cast<std::int64_t>(items.size()); i += parts) {
    result.items.push_back(items[static_cast<std::size_t>(i)]);
    result.drawn_positives += static_cast<std::int64_t>(i < drawn_positives);
  }
  return result;
}

/// The next of an endless sequence of annotated items: all of them in one order, then in another.
std::vector<std::int64_t> BatchOrder::annotated_again(std::int64_t first) const {
  const auto count = static_cast<std::int64_t>(annotated_.size());
  std::vector<std::int64_t> result;
  std::vector<std::int64_t> round;
  for (std::int64_t i = first; i < first + plan_.positives; ++i) {
    if (round.empty() || i % count == 0) {
      round = shuffled(annotated_, stream_key(seed_, fmt::format("shuffle-annotated-{}", i / count)), epoch_);
    }
    result.push_back(round[static_cast<std::size_t>(i % count)]);
  }
  return result;
}

}  // namespace mlpac
