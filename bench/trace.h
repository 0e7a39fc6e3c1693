// What a stretch of work spends its time on, as a file for chrome://tracing or Perfetto: operations of the host and
// kernels of the device. Only with LibTorch 2.x, whose library exports its profiler.
#pragma once

#include <cstdlib>
#include <set>

#include "nn/torch.h"

#if MLPAC_TORCH_2
#include <torch/csrc/autograd/profiler_kineto.h>
#endif

namespace mlpac {

/// Runs the work under the profiler if the environment variable MLPAC_TRACE names a file; otherwise does nothing.
template <typename Work>
void trace(const Work& work) {
#if MLPAC_TORCH_2
  const char* const file = std::getenv("MLPAC_TRACE");
  if (file == nullptr) return;
  namespace profiler = torch::autograd::profiler;
  const profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
  const std::set<profiler::ActivityType> kinds{profiler::ActivityType::CPU, profiler::ActivityType::CUDA};
  profiler::prepareProfiler(config, kinds);
  profiler::enableProfiler(config, kinds);
  work();
  profiler::disableProfiler()->save(file);
#else
  static_cast<void>(work);
#endif
}

}  // namespace mlpac
