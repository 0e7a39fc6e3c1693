// What kernels for images on a GPU are written for, and work with.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// Images [images x channels x height x width] in bfloat16 on a GPU, the channels of a pixel side by side and their
/// number a multiple of 8.
inline bool are_fusible_pixels(const at::Tensor& x) {
  constexpr std::int64_t kStep = 8;
  return x.is_cuda() && x.dim() == 4 && x.scalar_type() == at::kBFloat16 &&
         x.is_contiguous(at::MemoryFormat::ChannelsLast) && x.size(1) % kStep == 0 && x.numel() > 0;
}

/// Numbers of float32 where the images are, not set to anything.
inline at::Tensor floats_beside(const at::Tensor& x, at::IntArrayRef sizes) {
  return at::empty(sizes, x.options().dtype(at::kFloat).memory_format(at::MemoryFormat::Contiguous));
}

}  // namespace mlpac
