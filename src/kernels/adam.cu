#include <cuda_runtime.h>

#include "kernels/adam.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kThreads = 256;
constexpr int kFour = 4;
constexpr int kAtOnce = 2;  // accesses under way for every array and thread

struct Moved {
  float p, m, v;
};

__device__ Moved moved(float p, float g, float m, float v, const AdamCoefficients<float>& c) {
  const float x = g * c.gradient_scale + c.l2 * p;
  m = c.beta1 * m + c.rest1 * x;
  v = c.beta2 * v + c.rest2 * x * x;
  return {(p * c.keep - c.rate * m / (sqrtf(v) * c.correction + c.eps)) * c.keep_after, m, v};
}

__device__ bool aligned(const AdamChunk& chunk) {
  const auto bits = [](const float* at) { return reinterpret_cast<std::uintptr_t>(at); };
  return ((bits(chunk.p) | bits(chunk.g) | bits(chunk.m) | bits(chunk.v)) & (sizeof(float4) - 1)) == 0;
}

__global__ void __launch_bounds__(kThreads)
    update(const AdamChunk* chunks, const float* factor, AdamCoefficients<float> c) {
  const AdamChunk chunk = chunks[blockIdx.x];
  if (factor != nullptr) c.gradient_scale *= *factor;
  std::int64_t done = 0;
  if (aligned(chunk)) {
    auto* const p4 = reinterpret_cast<float4*>(chunk.p);
    const auto* const g4 = reinterpret_cast<const float4*>(chunk.g);
    auto* const m4 = reinterpret_cast<float4*>(chunk.m);
    auto* const v4 = reinterpret_cast<float4*>(chunk.v);
    const auto fours = static_cast<int>(chunk.count / kFour);
    for (int first = static_cast<int>(threadIdx.x); first < fours; first += kAtOnce * kThreads) {
      float4 p[kAtOnce], g[kAtOnce], m[kAtOnce], v[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int i = first + k * kThreads;
        if (i >= fours) continue;
        p[k] = p4[i];
        g[k] = __ldcs(g4 + i);  // read once
        m[k] = m4[i];
        v[k] = v4[i];
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int i = first + k * kThreads;
        if (i >= fours) continue;
        const Moved a = moved(p[k].x, g[k].x, m[k].x, v[k].x, c);
        const Moved b = moved(p[k].y, g[k].y, m[k].y, v[k].y, c);
        const Moved d = moved(p[k].z, g[k].z, m[k].z, v[k].z, c);
        const Moved e = moved(p[k].w, g[k].w, m[k].w, v[k].w, c);
        p4[i] = make_float4(a.p, b.p, d.p, e.p);
        m4[i] = make_float4(a.m, b.m, d.m, e.m);
        v4[i] = make_float4(a.v, b.v, d.v, e.v);
      }
    }
    done = std::int64_t{fours} * kFour;
  }
  for (std::int64_t i = done + threadIdx.x; i < chunk.count; i += kThreads) {
    const Moved one = moved(chunk.p[i], chunk.g[i], chunk.m[i], chunk.v[i], c);
    chunk.p[i] = one.p;
    chunk.m[i] = one.m;
    chunk.v[i] = one.v;
  }
}

}  // namespace

void adam_update_chunks(const AdamChunk* chunks, std::int64_t count, const float* factor,
                        const AdamCoefficients<float>& coefficients, void* stream) {
  update<<<static_cast<unsigned>(count), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(chunks, factor,
                                                                                           coefficients);
}

}  // namespace mlpac::kernels
