#include "kernels/eight.cuh"
#include "kernels/outer_products.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kBlock = static_cast<int>(kOuterBlock);
constexpr int kLanes = kBlock / kStep;         // threads that share a row of a product
constexpr int kThreads = kBlock * kLanes / 2;  // each has two rows
constexpr int kLines = kThreads / kLanes;
constexpr int kWarp = 32;

/// The part of a product that a thread works on: eight columns of every kLines-th row.
struct Place {
  int line;
  int lane;
  std::int64_t group;

  __device__ std::int64_t at(int row) const { return (group * kBlock + row) * kBlock + lane * kStep; }
  __device__ std::int64_t columns() const { return group * kBlock + lane * kStep; }
};

__device__ Place own_place() {
  const int thread = static_cast<int>(threadIdx.x);
  return {thread / kLanes, thread % kLanes, blockIdx.x};
}

__global__ void __launch_bounds__(kThreads)
    multiply(const __nv_bfloat16* first, const __nv_bfloat16* second, __nv_bfloat16* products) {
  const Place place = own_place();
  const Eight columns = load(second + place.columns());
#pragma unroll
  for (int row = place.line; row < kBlock; row += kLines) {
    const float factor = __bfloat162float(first[place.group * kBlock + row]);
    Eight result;
#pragma unroll
    for (int i = 0; i < kStep; ++i) result.v[i] = factor * columns.v[i];
    store(products + place.at(row), result);
  }
}

__global__ void __launch_bounds__(kThreads)
    add_up(const __nv_bfloat16* inner, const __nv_bfloat16* first, const __nv_bfloat16* second, __nv_bfloat16* to_first,
           __nv_bfloat16* to_second) {
  __shared__ float sums[kThreads / kWarp][kBlock];
  const Place place = own_place();
  const Eight columns = load(second + place.columns());
  Eight down{};
#pragma unroll
  for (int row = place.line; row < kBlock; row += kLines) {
    const Eight values = load(inner + place.at(row));
    const float factor = __bfloat162float(first[place.group * kBlock + row]);
    float across = 0;
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      across += values.v[i] * columns.v[i];
      down.v[i] += values.v[i] * factor;
    }
#pragma unroll
    for (int other = 1; other < kLanes; other *= 2) across += __shfl_xor_sync(~0U, across, other);
    if (place.lane == 0) to_first[place.group * kBlock + row] = __float2bfloat16(across);
  }
  // Down the rows: first those of a warp, then the warps.
#pragma unroll
  for (int other = kLanes; other < kWarp; other *= 2) {
#pragma unroll
    for (int i = 0; i < kStep; ++i) down.v[i] += __shfl_xor_sync(~0U, down.v[i], other);
  }
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  if (threadIdx.x % kWarp < kLanes) {
#pragma unroll
    for (int i = 0; i < kStep; ++i) sums[warp][place.lane * kStep + i] = down.v[i];
  }
  __syncthreads();
  const int column = static_cast<int>(threadIdx.x);
  if (column >= kBlock) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kThreads / kWarp; ++i) sum += sums[i][column];
  to_second[place.group * kBlock + column] = __float2bfloat16(sum);
}

const __nv_bfloat16* numbers(const void* pointer) { return static_cast<const __nv_bfloat16*>(pointer); }
__nv_bfloat16* numbers(void* pointer) { return static_cast<__nv_bfloat16*>(pointer); }

}  // namespace

void outer_products(std::int64_t groups, const void* first, const void* second, void* products, void* stream) {
  if (groups == 0) return;
  multiply<<<static_cast<unsigned>(groups), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      numbers(first), numbers(second), numbers(products));
}

void outer_gradients(std::int64_t groups, const void* inner, const void* first, const void* second, void* to_first,
                     void* to_second, void* stream) {
  if (groups == 0) return;
  add_up<<<static_cast<unsigned>(groups), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      numbers(inner), numbers(first), numbers(second), numbers(to_first), numbers(to_second));
}

}  // namespace mlpac::kernels
