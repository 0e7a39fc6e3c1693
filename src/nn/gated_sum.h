// The end of a residual block.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// Squeeze and excitation: two pointwise convolutions, with a ReLU between and a sigmoid after them, make the factor of
/// each channel of the means of all.
struct Gate {
  torch::nn::Conv2d reduce{nullptr};
  torch::nn::Conv2d expand{nullptr};
};

/// y, multiplied by its gate if there is one; then relu(y + shortcut) if a shortcut is defined.
at::Tensor gated_sum(const at::Tensor& y, const Gate& gate, const at::Tensor& shortcut);

}  // namespace mlpac
