#include <algorithm>

#include "kernels/batch_norm.cuh"
#include "kernels/eight.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 132 * 4;

/// Every thread keeps its eight channels; the threads of a block share `lines` rows at a time.
struct Layout {
  std::int64_t rows;
  int lanes;
  int lines;
  int blocks;
};

Layout layout_of(const NormShape& shape) {
  Layout layout{shape.rows, static_cast<int>(shape.channels / kStep), 0, 0};
  layout.lines = kThreads / layout.lanes;
  const std::int64_t rounds = (shape.rows + layout.lines - 1) / layout.lines;
  layout.blocks = static_cast<int>(std::clamp<std::int64_t>(rounds / 4, 1, kMostBlocks));
  return layout;
}

/// Two sums per channel over the rows of a block, to partial[block][2 x channels]; the order of adding is fixed.
__device__ void write_sums(const Layout& layout, const Eight& first, const Eight& second, float* partial) {
  __shared__ float sums[kThreads][2 * kStep];
#pragma unroll
  for (int i = 0; i < kStep; ++i) {
    sums[threadIdx.x][i] = first.v[i];
    sums[threadIdx.x][kStep + i] = second.v[i];
  }
  __syncthreads();
  const int channels = layout.lanes * kStep;
  for (int value = static_cast<int>(threadIdx.x); value < 2 * channels; value += kThreads) {
    const int channel = value % channels;
    const int column = (value / channels) * kStep + channel % kStep;
    float sum = 0;
    for (int i = 0; i < layout.lines; ++i) sum += sums[i * layout.lanes + channel / kStep][column];
    partial[static_cast<std::int64_t>(blockIdx.x) * 2 * channels + value] = sum;
  }
}

/// Sums of x - pivot and of its square; the pivot, the first row, keeps the variance from cancelling.
__global__ void __launch_bounds__(kThreads) statistics(Layout layout, const __nv_bfloat16* x, float* partial) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  const int line = static_cast<int>(threadIdx.x) / layout.lanes;
  Eight first{};
  Eight second{};
  if (line < layout.lines) {
    const Eight pivot = load(x + lane * kStep);
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * layout.lines;
#pragma unroll 4
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * layout.lines + line; row < layout.rows;
         row += stride) {
      const Eight value = load(x + (row * layout.lanes + lane) * kStep);
#pragma unroll
      for (int i = 0; i < kStep; ++i) {
        const float d = value.v[i] - pivot.v[i];
        first.v[i] += d;
        second.v[i] += d * d;
      }
    }
  }
  write_sums(layout, first, second, partial);
}

constexpr int kFinishLanes = 32;
constexpr int kFinishLines = 32;

/// Both sums of a channel over all blocks; true for the thread that holds them.
__device__ bool collect(const Layout& layout, const float* partial, int channel, double& first, double& second) {
  __shared__ double sums[2][kFinishLines][kFinishLanes];
  const int channels = layout.lanes * kStep;
  first = 0;
  second = 0;
  if (channel < channels) {
    for (int block = static_cast<int>(threadIdx.y); block < layout.blocks; block += kFinishLines) {
      const float* const own = partial + static_cast<std::int64_t>(block) * 2 * channels;
      first += own[channel];
      second += own[channels + channel];
    }
  }
  sums[0][threadIdx.y][threadIdx.x] = first;
  sums[1][threadIdx.y][threadIdx.x] = second;
  __syncthreads();
  if (threadIdx.y != 0 || channel >= channels) return false;
  for (int i = 1; i < kFinishLines; ++i) {
    first += sums[0][i][threadIdx.x];
    second += sums[1][i][threadIdx.x];
  }
  return true;
}

__device__ void save(float* saved, int channels, int channel, float mean, float inverse, const NormForward& pass) {
  const float factor = pass.scale[channel] * inverse;
  saved[channel] = mean;
  saved[channels + channel] = inverse;
  saved[2 * channels + channel] = factor;
  saved[3 * channels + channel] = pass.shift[channel] - mean * factor;
}

__global__ void finish_statistics(Layout layout, NormForward pass) {
  const int channel = static_cast<int>(blockIdx.x * kFinishLanes + threadIdx.x);
  double first = 0;
  double second = 0;
  if (!collect(layout, pass.workspace, channel, first, second)) return;
  const auto count = static_cast<double>(layout.rows);
  const double variance = fmax(0.0, (second - first * first / count) / count);
  const auto* const x = static_cast<const __nv_bfloat16*>(pass.x);
  const auto mean = static_cast<float>(static_cast<double>(__bfloat162float(x[channel])) + first / count);
  const float offset = pass.offset != nullptr ? pass.offset[channel] : 0.0F;
  const auto unbiased = static_cast<float>(variance * count / (count - 1));
  pass.running_mean[channel] += pass.momentum * (mean + offset - pass.running_mean[channel]);
  pass.running_variance[channel] += pass.momentum * (unbiased - pass.running_variance[channel]);
  const auto inverse = static_cast<float>(1 / sqrt(variance + static_cast<double>(pass.eps)));
  save(pass.saved, layout.lanes * kStep, channel, mean, inverse, pass);
}

__global__ void take_running(int channels, NormForward pass) {
  const int channel = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (channel >= channels) return;
  const float offset = pass.offset != nullptr ? pass.offset[channel] : 0.0F;
  save(pass.saved, channels, channel, pass.running_mean[channel] - offset,
       rsqrtf(pass.running_variance[channel] + pass.eps), pass);
}

__global__ void __launch_bounds__(kThreads) transform(Layout layout, NormForward pass) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  const int line = static_cast<int>(threadIdx.x) / layout.lanes;
  if (line >= layout.lines) return;
  const auto* const x = static_cast<const __nv_bfloat16*>(pass.x);
  auto* const y = static_cast<__nv_bfloat16*>(pass.y);
  const int channels = layout.lanes * kStep;
  const Eight factor = load(pass.saved + 2 * channels + lane * kStep);
  const Eight summand = load(pass.saved + 3 * channels + lane * kStep);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * layout.lines;
#pragma unroll 4
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * layout.lines + line; row < layout.rows;
       row += stride) {
    const std::int64_t at = (row * layout.lanes + lane) * kStep;
    Eight value = load(x + at);
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      const float z = value.v[i] * factor.v[i] + summand.v[i];
      value.v[i] = z > 0 ? z : pass.slope * z;
    }
    store(y + at, value);
  }
}

/// Sums of g and of g (x - mean), where g is the gradient before the activation.
__global__ void __launch_bounds__(kThreads) gradient_sums(Layout layout, NormBackward pass) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  const int line = static_cast<int>(threadIdx.x) / layout.lanes;
  Eight first{};
  Eight second{};
  if (line < layout.lines) {
    const auto* const x = static_cast<const __nv_bfloat16*>(pass.x);
    const auto* const gradient = static_cast<const __nv_bfloat16*>(pass.gradient);
    const int channels = layout.lanes * kStep;
    const Eight mean = load(pass.saved + lane * kStep);
    const Eight factor = load(pass.saved + 2 * channels + lane * kStep);
    const Eight summand = load(pass.saved + 3 * channels + lane * kStep);
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * layout.lines;
#pragma unroll 4
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * layout.lines + line; row < layout.rows;
         row += stride) {
      const std::int64_t at = (row * layout.lanes + lane) * kStep;
      const Eight value = load(x + at);
      const Eight given = load(gradient + at);
#pragma unroll
      for (int i = 0; i < kStep; ++i) {
        const float g = value.v[i] * factor.v[i] + summand.v[i] > 0 ? given.v[i] : pass.slope * given.v[i];
        first.v[i] += g;
        second.v[i] += g * (value.v[i] - mean.v[i]);
      }
    }
  }
  write_sums(layout, first, second, pass.workspace);
}

/// `means` [2 x channels]: what the gradient of x loses: the mean of g, and the factor of x - mean.
__global__ void finish_gradients(Layout layout, NormBackward pass, float* means) {
  const int channel = static_cast<int>(blockIdx.x * kFinishLanes + threadIdx.x);
  double first = 0;
  double second = 0;
  if (!collect(layout, pass.workspace, channel, first, second)) return;
  const int channels = layout.lanes * kStep;
  const auto count = static_cast<double>(layout.rows);
  const auto inverse = static_cast<double>(pass.saved[channels + channel]);
  pass.to_shift[channel] = static_cast<float>(first);
  pass.to_scale[channel] = static_cast<float>(second * inverse);
  means[channel] = static_cast<float>(first / count);
  means[channels + channel] = static_cast<float>(second * inverse * inverse / count);
}

__global__ void __launch_bounds__(kThreads) gradient_of_x(Layout layout, NormBackward pass, const float* means) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  const int line = static_cast<int>(threadIdx.x) / layout.lanes;
  if (line >= layout.lines) return;
  const auto* const x = static_cast<const __nv_bfloat16*>(pass.x);
  const auto* const gradient = static_cast<const __nv_bfloat16*>(pass.gradient);
  auto* const to_x = static_cast<__nv_bfloat16*>(pass.to_x);
  const int channels = layout.lanes * kStep;
  const Eight mean = load(pass.saved + lane * kStep);
  const Eight factor = load(pass.saved + 2 * channels + lane * kStep);
  const Eight summand = load(pass.saved + 3 * channels + lane * kStep);
  const Eight lost = load(means + lane * kStep);
  const Eight slant = load(means + channels + lane * kStep);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * layout.lines;
#pragma unroll 4
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * layout.lines + line; row < layout.rows;
       row += stride) {
    const std::int64_t at = (row * layout.lanes + lane) * kStep;
    Eight value = load(x + at);
    const Eight given = load(gradient + at);
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      const float g = value.v[i] * factor.v[i] + summand.v[i] > 0 ? given.v[i] : pass.slope * given.v[i];
      value.v[i] = factor.v[i] * (g - lost.v[i] - (value.v[i] - mean.v[i]) * slant.v[i]);
    }
    store(to_x + at, value);
  }
}

int finish_blocks(const NormShape& shape) {
  return static_cast<int>((shape.channels + kFinishLanes - 1) / kFinishLanes);
}

}  // namespace

std::int64_t norm_workspace(const NormShape& shape) { return 2 * shape.channels * (layout_of(shape).blocks + 1); }

void norm_forward(const NormShape& shape, const NormForward& pass, void* stream) {
  const auto layout = layout_of(shape);
  auto* const queue = static_cast<cudaStream_t>(stream);
  if (pass.training) {
    statistics<<<layout.blocks, kThreads, 0, queue>>>(layout, static_cast<const __nv_bfloat16*>(pass.x),
                                                      pass.workspace);
    finish_statistics<<<finish_blocks(shape), dim3(kFinishLanes, kFinishLines), 0, queue>>>(layout, pass);
  } else {
    const auto blocks = static_cast<int>((shape.channels + kThreads - 1) / kThreads);
    take_running<<<blocks, kThreads, 0, queue>>>(static_cast<int>(shape.channels), pass);
  }
  transform<<<layout.blocks, kThreads, 0, queue>>>(layout, pass);
}

void norm_backward(const NormShape& shape, const NormBackward& pass, void* stream) {
  const auto layout = layout_of(shape);
  auto* const queue = static_cast<cudaStream_t>(stream);
  float* const means = pass.workspace + 2 * shape.channels * layout.blocks;
  gradient_sums<<<layout.blocks, kThreads, 0, queue>>>(layout, pass);
  finish_gradients<<<finish_blocks(shape), dim3(kFinishLanes, kFinishLines), 0, queue>>>(layout, pass, means);
  gradient_of_x<<<layout.blocks, kThreads, 0, queue>>>(layout, pass, means);
}

}  // namespace mlpac::kernels
