// The layers of a network on the CPU as one node of the graph: products of matrices, and one loop for bias and ReLU
// between them. Small networks spend most of a step on the nodes of the usual form.
#pragma once

#include <vector>

#include "nn/torch.h"

namespace mlpac {

/// A first layer on dense rows has weights [outputs x inputs] as all others; on sparse rows [inputs x outputs].
struct DenseLayers {
  const std::vector<at::Tensor>& inputs;  ///< one dense matrix, or the three parts of SparseRows
  std::vector<at::Tensor> parameters;     ///< weight and bias of every layer
  std::vector<at::Tensor> dropout;        ///< factors after every layer but the last; empty: none
  double dropout_scale = 1;               ///< what the factors are where they are not 0

  bool sparse() const { return inputs.size() > 1; }
  std::size_t count() const { return parameters.size() / 2; }
};

/// True if everything is float32 on the CPU, nothing asks for the gradient of the inputs and no other precision is set.
bool can_fuse(const DenseLayers& layers);
/// Logits.
at::Tensor fused_dense(const DenseLayers& layers);

}  // namespace mlpac
