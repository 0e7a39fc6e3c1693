#include <algorithm>

#include "kernels/column_sums.cuh"
#include "kernels/eight.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kLanes = 32;  // of a warp: neighbouring columns
constexpr int kWarps = 8;   // of a block: every so manieth row of its slice
constexpr int kWidth = kLanes * kStep;
constexpr std::int64_t kBlocks = 512;  // enough to keep a large GPU busy
constexpr std::int64_t kMostSlices = 64;

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// Sums over the rows of a slice.
__global__ void __launch_bounds__(kLanes* kWarps)
    add_rows(const __nv_bfloat16* x, std::int64_t rows, std::int64_t columns, float* sums) {
  __shared__ float shared[kWarps][kWidth];
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t column = (static_cast<std::int64_t>(blockIdx.x) * kLanes + lane) * kStep;
  Eight total{};
  if (column < columns) {
    for (std::int64_t row = blockIdx.y * kWarps + warp; row < rows; row += std::int64_t{gridDim.y} * kWarps) {
      const Eight values = load(x + row * columns + column);
#pragma unroll
      for (int i = 0; i < kStep; ++i) total.v[i] += values.v[i];
    }
  }
#pragma unroll
  for (int i = 0; i < kStep; ++i) shared[warp][lane * kStep + i] = total.v[i];
  __syncthreads();
  const std::int64_t own = static_cast<std::int64_t>(blockIdx.x) * kWidth + threadIdx.x;
  if (own >= columns) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kWarps; ++i) sum += shared[i][threadIdx.x];
  sums[blockIdx.y * columns + own] = sum;
}

__global__ void add_slices(const float* sums, int slices, std::int64_t columns, __nv_bfloat16* result) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int i = 0; i < slices; ++i) sum += sums[i * columns + column];
  result[column] = __float2bfloat16(sum);
}

}  // namespace

std::int64_t ColumnSums::slices() const {
  const auto wanted = std::min(kMostSlices, kBlocks / parts(columns, kWidth));
  return std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, parts(rows, kWarps)));
}

std::int64_t ColumnSums::workspace() const { return slices() * columns; }

void ColumnSums::operator()(const void* x, void* sums, float* workspace, void* stream) const {
  static_assert(kColumnStep == kStep && kWidth == kLanes * kWarps);
  if (columns == 0) return;
  const auto queue = static_cast<cudaStream_t>(stream);
  const auto count = static_cast<unsigned>(slices());
  const dim3 grid(static_cast<unsigned>(parts(columns, kWidth)), count);
  add_rows<<<grid, kLanes * kWarps, 0, queue>>>(static_cast<const __nv_bfloat16*>(x), rows, columns, workspace);
  constexpr int kThreads = 64;
  add_slices<<<static_cast<unsigned>(parts(columns, kThreads)), kThreads, 0, queue>>>(
      workspace, static_cast<int>(count), columns, static_cast<__nv_bfloat16*>(sums));
}

}  // namespace mlpac::kernels
