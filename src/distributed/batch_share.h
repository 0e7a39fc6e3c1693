// A batch that several processes compute together, each for its rows. What couples rows of a batch (sums of a loss,
// batch norm) asks here whether there are more rows elsewhere. On a thread that computes a whole batch, there are none.
#pragma once

#include <ATen/core/Tensor.h>

#include "distributed/group.h"

namespace mlpac {

/// For its lifetime, what this thread computes is a share of a batch.
class BatchShare {
 public:
  /// `rows` of the whole batch. A process that has none of them computes a row that does not count.
  BatchShare(const Group& group, std::int64_t rows, bool counts);
  BatchShare(const BatchShare&) = delete;
  BatchShare& operator=(const BatchShare&) = delete;
  ~BatchShare();

  /// Null: this thread computes whole batches.
  static const BatchShare* current();

  const Group& group() const { return group_; }
  std::int64_t rows() const { return rows_; }
  bool counts() const { return counts_; }

 private:
  const Group& group_;
  std::int64_t rows_;
  bool counts_;
  const BatchShare* outer_;
};

/// What all processes have of it together, if this thread computes a share of a batch. Gradients that reach it are
/// summed as well: each process gets what the losses of all of them ask of its part.
at::Tensor over_batch(const at::Tensor& part);

/// The values [n] that all processes have, one after the other; of one whose rows do not count, none.
at::Tensor values_of_batch(const at::Tensor& own);

/// Rows of the whole batch of which `rows` are here.
std::int64_t rows_of_batch(std::int64_t rows);

}  // namespace mlpac
