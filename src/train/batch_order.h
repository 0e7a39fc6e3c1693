// Which items each step of an epoch sees. All of it is a function of seed, epoch and step, so that a run can go on
// anywhere and any process can compute its part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/method.h"

namespace mlpac {

class BatchOrder {
 public:
  /// `annotated`: those of the items that have an annotation; only looked at if the plan draws them separately.
  /// `costs`: of every item of the data set; a batch has items of similar cost. Empty: all are the same.
  /// `block`: so many items that lie one behind the other in the data stay together, which large files are read faster
  /// by.
  BatchOrder(std::vector<std::int64_t> items, std::vector<std::int64_t> annotated, const BatchPlan& plan,
             std::int64_t batch, std::uint64_t seed, std::int64_t epoch, std::span<const std::int64_t> costs = {},
             std::int64_t block = 1);

  struct Step {
    std::vector<std::int64_t> items;
    std::int64_t drawn_positives = 0;  ///< so many of them come first

    /// Every n-th of the items: each part has its share of those drawn for their annotations.
    Step part(std::int64_t part, std::int64_t parts) const;
  };
  /// No items where others of the same phase have more steps.
  Step step(std::int64_t step) const;

  /// Steps of an epoch of so many items.
  static std::int64_t steps(std::size_t items, const BatchPlan& plan, std::int64_t batch);

 private:
  std::vector<std::int64_t> annotated_again(std::int64_t first) const;
  void group_by_cost(std::span<const std::int64_t> costs);

  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> annotated_;
  BatchPlan plan_;
  std::int64_t size_;
  std::uint64_t seed_;
  std::int64_t epoch_;
};

}  // namespace mlpac
