#include "nn/gpu_memory.h"

#ifdef MLPAC_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace mlpac {

double peak_gpu_memory_mb([[maybe_unused]] const at::Device& device) {
#ifdef MLPAC_CUDA
  if (device.is_cuda()) {
    constexpr double kBytes = 1024.0 * 1024.0;
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    return static_cast<double>(stats.reserved_bytes.front().peak) / kBytes;  // of all its pools together
  }
#endif
  return 0;
}

}  // namespace mlpac
