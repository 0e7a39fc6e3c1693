// Eight numbers at a time, in float32 where they are computed with: as many bfloat16 as one access to memory moves.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace mlpac::kernels {

constexpr int kStep = 8;

struct Eight {
  float v[kStep];
};

inline __device__ Eight load(const __nv_bfloat16* from) {
  const uint4 raw = *reinterpret_cast<const uint4*>(from);
  const auto* const pairs = reinterpret_cast<const __nv_bfloat162*>(&raw);
  Eight result;
#pragma unroll
  for (int i = 0; i < kStep / 2; ++i) {
    const float2 both = __bfloat1622float2(pairs[i]);
    result.v[2 * i] = both.x;
    result.v[2 * i + 1] = both.y;
  }
  return result;
}

inline __device__ void store(__nv_bfloat16* to, const Eight& values) {
  uint4 raw;
  auto* const pairs = reinterpret_cast<__nv_bfloat162*>(&raw);
#pragma unroll
  for (int i = 0; i < kStep / 2; ++i) pairs[i] = __floats2bfloat162_rn(values.v[2 * i], values.v[2 * i + 1]);
  *reinterpret_cast<uint4*>(to) = raw;
}

inline __device__ Eight load(const float* from) {
  Eight result;
#pragma unroll
  for (int i = 0; i < kStep; ++i) result.v[i] = from[i];
  return result;
}

}  // namespace mlpac::kernels
