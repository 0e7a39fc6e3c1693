// Batch norm of a batch whose images are spread over processes: statistics of all of them.
#pragma once

#include "distributed/batch_share.h"
#include "nn/batch_norm.h"

namespace mlpac {

/// As batch_norm while training, before the activation; `share` says where the other images are.
at::Tensor shared_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                       const BatchStatistics& running, const NormSpec& spec, const at::Tensor& offset,
                       const BatchShare& share);

}  // namespace mlpac
