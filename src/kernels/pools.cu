#include <algorithm>

#include "kernels/eight.cuh"
#include "kernels/pools.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostRows = 32768;  // blocks along the second dimension of a grid

/// Positions along a side and their weights.
struct Taps {
  int at[3];
  float weight[3];
  int count;
};

/// What the pooled position `i` is made of.
template <Pool kKind>
__device__ Taps inputs_of(int i, int side) {
  if constexpr (kKind == Pool::average) {
    return 2 * i + 1 < side ? Taps{{2 * i, 2 * i + 1, 0}, {0.5F, 0.5F, 0}, 2} : Taps{{2 * i, 0, 0}, {1, 0, 0}, 1};
  } else {
    const int before = i == 0 ? 1 : 2 * i - 1;
    const int after = 2 * i + 1 == side ? side - 2 : 2 * i + 1;
    return {{before, 2 * i, after}, {0.25F, 0.5F, 0.25F}, 3};
  }
}

/// Which pooled positions the position `at` is part of.
template <Pool kKind>
__device__ Taps outputs_of(int at, int side) {
  if constexpr (kKind == Pool::average) {
    const bool alone = at + 1 == side && at % 2 == 0;
    return {{at / 2, 0, 0}, {alone ? 1.0F : 0.5F, 0, 0}, 1};
  } else {
    if (at % 2 == 0) return {{at / 2, 0, 0}, {0.5F, 0, 0}, 1};
    // Reflected borders count twice.
    const float left = at == 1 ? 0.5F : 0.25F;
    const int next = (at + 1) / 2;
    if (next >= (side + 1) / 2) return {{at / 2, 0, 0}, {left, 0, 0}, 1};
    return {{at / 2, next, 0}, {left, side % 2 == 1 && at == side - 2 ? 0.5F : 0.25F, 0}, 2};
  }
}

struct Plane {
  int height, width;
};

/// to[row, column] = sum of weighted from[rows, columns]; a thread makes eight channels of a pixel, a row of blocks a
/// row.
template <typename TapsOf>
__device__ void gather(const __nv_bfloat16* from, Plane source, __nv_bfloat16* to, Plane target, std::int64_t images,
                       int lanes, const TapsOf& taps_of) {
  const int place = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const int column = place / lanes;
  if (column >= target.width) return;
  const int lane = place % lanes;
  const Taps across = taps_of(column, false);
  for (std::int64_t row = blockIdx.y; row < images * target.height; row += gridDim.y) {
    const std::int64_t image = row / target.height;
    const Taps down = taps_of(static_cast<int>(row % target.height), true);
    Eight sum{};
    for (int i = 0; i < down.count; ++i) {
      const std::int64_t line = (image * source.height + down.at[i]) * source.width;
      for (int j = 0; j < across.count; ++j) {
        const Eight value = load(from + ((line + across.at[j]) * lanes + lane) * kStep);
        const float weight = down.weight[i] * across.weight[j];
#pragma unroll
        for (int k = 0; k < kStep; ++k) sum.v[k] += weight * value.v[k];
      }
    }
    store(to + ((row * target.width + column) * lanes + lane) * kStep, sum);
  }
}

template <Pool kKind>
__global__ void __launch_bounds__(kThreads)
    forward(const __nv_bfloat16* x, Plane large, __nv_bfloat16* y, Plane small, std::int64_t images, int lanes) {
  gather(x, large, y, small, images, lanes,
         [&](int at, bool down) { return inputs_of<kKind>(at, down ? large.height : large.width); });
}

template <Pool kKind>
__global__ void __launch_bounds__(kThreads) backward(const __nv_bfloat16* gradient, Plane small, __nv_bfloat16* to_x,
                                                     Plane large, std::int64_t images, int lanes) {
  gather(gradient, small, to_x, large, images, lanes,
         [&](int at, bool down) { return outputs_of<kKind>(at, down ? large.height : large.width); });
}

Plane large_of(const PoolShape& shape) { return {static_cast<int>(shape.height), static_cast<int>(shape.width)}; }

Plane small_of(const PoolShape& shape) {
  return {static_cast<int>(shape.pooled_height()), static_cast<int>(shape.pooled_width())};
}

dim3 grid_of(const PoolShape& shape, const Plane& target) {
  const auto places = target.width * (shape.channels / kStep);
  return {static_cast<unsigned>((places + kThreads - 1) / kThreads),
          static_cast<unsigned>(std::min<std::int64_t>(shape.images * target.height, kMostRows))};
}

}  // namespace

void pool(const PoolShape& shape, Pool kind, const void* x, void* y, void* stream) {
  const auto kernel = kind == Pool::blur ? forward<Pool::blur> : forward<Pool::average>;
  kernel<<<grid_of(shape, small_of(shape)), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const __nv_bfloat16*>(x), large_of(shape), static_cast<__nv_bfloat16*>(y), small_of(shape),
      shape.images, static_cast<int>(shape.channels / kStep));
}

void pool_backward(const PoolShape& shape, Pool kind, const void* gradient, void* to_x, void* stream) {
  const auto kernel = kind == Pool::blur ? backward<Pool::blur> : backward<Pool::average>;
  kernel<<<grid_of(shape, large_of(shape)), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const __nv_bfloat16*>(gradient), small_of(shape), static_cast<__nv_bfloat16*>(to_x), large_of(shape),
      shape.images, static_cast<int>(shape.channels / kStep));
}

}  // namespace mlpac::kernels
