// From host memory to where a network computes.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// The tensor on `device`; on the CPU itself. From pinned memory nobody waits for the copy, nor for what the device is
/// still doing.
inline at::Tensor upload(const at::Tensor& tensor, at::Device device) {
  return device.is_cuda() ? tensor.pin_memory().to(device, /*non_blocking=*/true) : tensor.to(device);
}

}  // namespace mlpac
