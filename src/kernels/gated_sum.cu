#include <algorithm>

#include "kernels/eight.cuh"
#include "kernels/gated_sum.cuh"

namespace mlpac::kernels {

namespace {

constexpr int kThreads = 256;
static_assert(kThreads * kStep == kGateMostChannels);

/// Blocks of an image stand side by side, images below each other. Every thread keeps its eight channels; the threads
/// of a block share `lines` pixels at a time.
struct Layout {
  int pixels;
  int lanes;
  int lines;
  int blocks;
};

Layout layout_of(const GateShape& shape, std::int64_t pixels_of_a_thread) {
  Layout layout{static_cast<int>(shape.pixels), static_cast<int>(shape.channels / kStep), 0, 0};
  layout.lines = kThreads / layout.lanes;
  const auto whole = layout.lines * pixels_of_a_thread;
  layout.blocks = static_cast<int>(std::max<std::int64_t>(1, (shape.pixels + whole - 1) / whole));
  return layout;
}

constexpr std::int64_t kSummed = 32;
constexpr std::int64_t kMoved = 8;

dim3 grid_of(const GateShape& shape, const Layout& layout) {
  return {static_cast<unsigned>(layout.blocks), static_cast<unsigned>(shape.images)};
}

const __nv_bfloat16* numbers(const void* x) { return static_cast<const __nv_bfloat16*>(x); }

/// Calls `visit` with the place of every group of eight numbers that a thread has to see to.
template <typename Visit>
__device__ void each_pixel(const Layout& layout, const Visit& visit) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  const int line = static_cast<int>(threadIdx.x) / layout.lanes;
  if (line >= layout.lines) return;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * layout.pixels;
  const int stride = layout.blocks * layout.lines;
#pragma unroll 4
  for (int pixel = static_cast<int>(blockIdx.x) * layout.lines + line; pixel < layout.pixels; pixel += stride) {
    visit(((first + pixel) * layout.lanes + lane) * kStep);
  }
}

/// Where the thread's channels are in a matrix [images x channels].
__device__ std::int64_t own_channels(const Layout& layout) {
  const int lane = static_cast<int>(threadIdx.x) % layout.lanes;
  return (static_cast<std::int64_t>(blockIdx.y) * layout.lanes + lane) * kStep;
}

__device__ Eight masked(const Eight& gradient, const __nv_bfloat16* sum, std::int64_t at) {
  if (sum == nullptr) return gradient;
  const Eight reached = load(sum + at);
  Eight result;
#pragma unroll
  for (int i = 0; i < kStep; ++i) result.v[i] = reached.v[i] > 0 ? gradient.v[i] : 0.0F;
  return result;
}

/// Sums over the pixels of a block, of x or, if there is a gradient, of g x; partial [images x blocks x channels].
__global__ void __launch_bounds__(kThreads)
    add_pixels(Layout layout, const __nv_bfloat16* x, const __nv_bfloat16* gradient, const __nv_bfloat16* sum,
               float* partial) {
  Eight total{};
  each_pixel(layout, [&](std::int64_t at) {
    const Eight value = load(x + at);
    if (gradient == nullptr) {
#pragma unroll
      for (int i = 0; i < kStep; ++i) total.v[i] += value.v[i];
    } else {
      const Eight g = masked(load(gradient + at), sum, at);
#pragma unroll
      for (int i = 0; i < kStep; ++i) total.v[i] += g.v[i] * value.v[i];
    }
  });
  __shared__ float shared[kThreads][kStep];
#pragma unroll
  for (int i = 0; i < kStep; ++i) shared[threadIdx.x][i] = total.v[i];
  __syncthreads();
  const int channels = layout.lanes * kStep;
  float* const own = partial + (static_cast<std::int64_t>(blockIdx.y) * layout.blocks + blockIdx.x) * channels;
  for (int channel = static_cast<int>(threadIdx.x); channel < channels; channel += kThreads) {
    float result = 0;
    for (int line = 0; line < layout.lines; ++line)
      result += shared[line * layout.lanes + channel / kStep][channel % kStep];
    own[channel] = result;
  }
}

__global__ void add_blocks(Layout layout, const float* partial, float scale, float* sums) {
  const int channels = layout.lanes * kStep;
  const int channel = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (channel >= channels) return;
  const float* const own = partial + static_cast<std::int64_t>(blockIdx.y) * layout.blocks * channels + channel;
  float result = 0;
  for (int block = 0; block < layout.blocks; ++block) result += own[static_cast<std::int64_t>(block) * channels];
  sums[static_cast<std::int64_t>(blockIdx.y) * channels + channel] = scale * result;
}

void image_sums(const GateShape& shape, const void* x, const void* gradient, const void* sum, float scale, float* sums,
                float* workspace, void* stream) {
  const auto layout = layout_of(shape, kSummed);
  auto* const queue = static_cast<cudaStream_t>(stream);
  add_pixels<<<grid_of(shape, layout), kThreads, 0, queue>>>(layout, numbers(x), numbers(gradient), numbers(sum),
                                                             workspace);
  const dim3 grid(static_cast<unsigned>((shape.channels + kThreads - 1) / kThreads),
                  static_cast<unsigned>(shape.images));
  add_blocks<<<grid, kThreads, 0, queue>>>(layout, workspace, scale, sums);
}

__global__ void __launch_bounds__(kThreads) add_gated(Layout layout, GatedSum pass) {
  const auto* const y = static_cast<const __nv_bfloat16*>(pass.y);
  const auto* const shortcut = static_cast<const __nv_bfloat16*>(pass.shortcut);
  auto* const sum = static_cast<__nv_bfloat16*>(pass.sum);
  Eight factor;
#pragma unroll
  for (int i = 0; i < kStep; ++i) factor.v[i] = 1;
  if (pass.factor != nullptr) factor = load(pass.factor + own_channels(layout));
  each_pixel(layout, [&](std::int64_t at) {
    Eight value = load(y + at);
#pragma unroll
    for (int i = 0; i < kStep; ++i) value.v[i] *= factor.v[i];
    if (shortcut != nullptr) {
      const Eight other = load(shortcut + at);
#pragma unroll
      for (int i = 0; i < kStep; ++i) value.v[i] = fmaxf(0.0F, value.v[i] + other.v[i]);
    }
    store(sum + at, value);
  });
}

__global__ void __launch_bounds__(kThreads) spread_gradient(Layout layout, GatedSumBackward pass) {
  const auto* const gradient = static_cast<const __nv_bfloat16*>(pass.gradient);
  const auto* const sum = static_cast<const __nv_bfloat16*>(pass.sum);
  auto* const to_y = static_cast<__nv_bfloat16*>(pass.to_y);
  auto* const to_shortcut = static_cast<__nv_bfloat16*>(pass.to_shortcut);
  Eight factor;
#pragma unroll
  for (int i = 0; i < kStep; ++i) factor.v[i] = 1;
  if (pass.factor != nullptr) factor = load(pass.factor + own_channels(layout));
  Eight more{};
  if (pass.to_mean != nullptr) more = load(pass.to_mean + own_channels(layout));
  each_pixel(layout, [&](std::int64_t at) {
    Eight g = masked(load(gradient + at), sum, at);
    if (to_shortcut != nullptr) store(to_shortcut + at, g);
#pragma unroll
    for (int i = 0; i < kStep; ++i) g.v[i] = factor.v[i] * g.v[i] + more.v[i];
    store(to_y + at, g);
  });
}

}  // namespace

std::int64_t GateShape::workspace() const { return images * channels * layout_of(*this, kSummed).blocks; }

void image_means(const GateShape& shape, const void* x, float* means, float* workspace, void* stream) {
  image_sums(shape, x, nullptr, nullptr, 1.0F / static_cast<float>(shape.pixels), means, workspace, stream);
}

void gated_sum(const GateShape& shape, const GatedSum& pass, void* stream) {
  const auto layout = layout_of(shape, kMoved);
  add_gated<<<grid_of(shape, layout), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(layout, pass);
}

void gate_gradient(const GateShape& shape, const GatedSumBackward& pass, float* to_factor, float* workspace,
                   void* stream) {
  image_sums(shape, pass.y, pass.gradient, pass.sum, 1, to_factor, workspace, stream);
}

void gated_sum_backward(const GateShape& shape, const GatedSumBackward& pass, void* stream) {
  const auto layout = layout_of(shape, kMoved);
  spread_gradient<<<grid_of(shape, layout), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(layout, pass);
}

}  // namespace mlpac::kernels
