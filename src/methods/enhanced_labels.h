// Entries that a method treats as positive although they are not annotated: the label state of MLPAC's critic and of
// self-training.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

  /// The batch's labels with the proposals as positives.
  at::Tensor target(const Batch& batch) const;

  std::int64_t count() const;
  /// Share of the proposals that is truly positive, in percent.
  double precision(const Labels& truth) const;

  void save(State& state, const std::string& name) const;
  void load(const State& state, const std::string& name);

 private:
  std::vector<std::vector<std::int32_t>> rows_;
};

}  // namespace mlpac
