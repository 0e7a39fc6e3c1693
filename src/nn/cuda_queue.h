// Where kernels of our own (kernels/*.cu) are put in line on a GPU.
#pragma once

#ifdef MLPAC_CUDA_KERNELS
#include <ATen/cuda/CUDAContext.h>

namespace mlpac {

/// The stream that LibTorch works on there.
inline void* queue_of(const at::Tensor& x) { return at::cuda::getCurrentCUDAStream(x.device().index()).stream(); }

}  // namespace mlpac
#endif
