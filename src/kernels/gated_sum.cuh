// The end of a residual block on a GPU: relu(f y + shortcut) with a factor f for each image and channel, its backward
// pass, and the sums over pixels that squeeze and excitation needs. Images in bfloat16 with the channels of a pixel
// side by side; sums are added in a fixed order. Plain pointers: no LibTorch header, no CUDA header.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

constexpr std::int64_t kGateMostImages = 65'535;
constexpr std::int64_t kGateMostChannels = 2048;

/// Channels: a multiple of 8.
struct GateShape {
  std::int64_t images, pixels, channels;

  /// float32 numbers that the sums need beside their result.
  std::int64_t workspace() const;
};

/// means [images x channels] of x.
void image_means(const GateShape& shape, const void* x, float* means, float* workspace, void* stream);

struct GatedSum {
  const void* y;
  const void* shortcut;  ///< null: neither sum nor ReLU
  const float* factor;   ///< [images x channels]; null: 1
  void* sum;
};

void gated_sum(const GateShape& shape, const GatedSum& pass, void* stream);

/// In both, g is the gradient where `sum` is positive, or everywhere if it is null.
struct GatedSumBackward {
  const void* gradient;
  const void* sum;
  const void* y;
  const float* factor;   ///< null: 1
  const float* to_mean;  ///< added to every pixel's gradient of y; null: nothing
  void* to_y;
  void* to_shortcut;  ///< null: not wanted
};

/// to_factor [images x channels]: the sums of g y.
void gate_gradient(const GateShape& shape, const GatedSumBackward& pass, float* to_factor, float* workspace,
                   void* stream);
/// to_y = f g + to_mean, to_shortcut = g.
void gated_sum_backward(const GateShape& shape, const GatedSumBackward& pass, void* stream);

}  // namespace mlpac::kernels
