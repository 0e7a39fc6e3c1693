// Weights that are learned in float32 and used in bfloat16.
#pragma once

#include <unordered_map>
#include <vector>

#include "nn/torch.h"

namespace mlpac {

/// Looks up what a pass uses in place of a parameter.
class ReducedWeights {
 public:
  /// Every parameter as it is.
  ReducedWeights() = default;
  /// All of them in bfloat16, cast at once; so are their gradients on the way back.
  explicit ReducedWeights(const std::vector<at::Tensor>& parameters);

  at::Tensor operator()(const at::Tensor& parameter) const;

 private:
  std::unordered_map<const c10::TensorImpl*, at::Tensor> reduced_;
};

}  // namespace mlpac
