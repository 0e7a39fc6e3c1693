// Entries that a method treats as positive although they are not annotated: the label state of MLPAC's critic and of
// self-training.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "distributed/group.h"
#include "mlpac/labels.h"
#include "nn/network.h"
#include "train/state.h"

namespace mlpac {

class EnhancedLabels {
 public:
  explicit EnhancedLabels(std::int64_t rows) : rows_(static_cast<std::size_t>(rows)) {}

  /// Replaces (or, if `cumulative`, extends) the proposals of the batch's rows by a boolean [rows x classes] tensor;
  /// entries whose label is known are left out.
  void propose(const Batch& batch, const at::Tensor& proposals, bool cumulative);

  /// Takes over what other processes have proposed for their rows since the last time.
  void combine(const Group& group);

  /// The batch's labels with the proposals as positives.
  at::Tensor target(const Batch& batch) const;

  std::int64_t count() const;
  /// Share of the proposals that is truly positive, in percent.
  double precision(const Labels& truth) const;

  void save(State& state, const std::string& name) const;
  void load(const State& state, const std::string& name);

 private:
  /// Row and column of every proposal of some rows, one below the other.
  at::Tensor pairs_of(std::span<const std::int64_t> rows) const;
  void insert(const at::Tensor& pairs);

  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<std::int64_t> proposed_;  ///< rows for which proposals were made since the last time
};

}  // namespace mlpac
