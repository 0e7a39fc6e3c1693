// A loss whose value and gradient a kernel has computed together, as one node of the graph.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// What the kernels work on: float32 on the CPU, row after row.
inline bool plain_floats(const at::Tensor& tensor) {
  return tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat && tensor.is_contiguous();
}

/// The number `value` whose gradient with respect to z is `gradient`.
at::Tensor with_gradient(const at::Tensor& z, double value, const at::Tensor& gradient);

}  // namespace mlpac
