// What this process takes of a GPU's memory.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// The most MB that tensors and recorded passes have taken of the device so far; 0 of a CPU.
double peak_gpu_memory_mb(const at::Device& device);

}  // namespace mlpac
