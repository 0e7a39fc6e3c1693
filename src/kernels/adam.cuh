// Adam on a GPU: all tensors that share their coefficients in one pass over memory. Plain pointers: no LibTorch header,
// no CUDA header.
#pragma once

#include <cstdint>

#include "kernels/kernels.h"

namespace mlpac::kernels {

/// A part of a tensor that a block of threads updates: at most kAdamChunk numbers.
struct AdamChunk {
  float* p;
  const float* g;
  float* m;
  float* v;
  std::int64_t count;
};

constexpr std::int64_t kAdamChunk = 65536;

/// What adam_update() does, for chunks that lie in the memory of the GPU. `factor`: a number there that gradients are
/// multiplied by, or null.
void adam_update_chunks(const AdamChunk* chunks, std::int64_t count, const float* factor,
                        const AdamCoefficients<float>& coefficients, void* stream);

}  // namespace mlpac::kernels
