// Batch norm and the leaky ReLU after it, on a GPU: images in bfloat16 with the channels of a pixel side by side, read
// and written as few times as the arithmetic allows. Plain pointers: no LibTorch header, no CUDA header.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

/// Pixels of all images, and their channels: a multiple of 8, at most 2048.
struct NormShape {
  std::int64_t rows;
  std::int64_t channels;
};

constexpr std::int64_t kNormMostChannels = 2048;

/// What a forward pass leaves for the backward pass: mean, 1 / deviation, factor and summand, [4 x channels].
constexpr std::int64_t kNormSaved = 4;

/// Numbers of float32 that norm_forward and norm_backward need to work with.
std::int64_t norm_workspace(const NormShape& shape);

struct NormForward {
  const void* x;
  void* y;
  const float* scale;
  const float* shift;
  const float* offset;  ///< what is added to the mean of x in the running mean (a bias that x lacks); null: nothing
  float* running_mean;
  float* running_variance;
  float* saved;
  float* workspace;
  float momentum;
  float eps;
  float slope;  ///< of negative outputs: 0 is ReLU, 1 the identity
  bool training;
};

void norm_forward(const NormShape& shape, const NormForward& pass, void* stream);

struct NormBackward {
  const void* x;
  const void* gradient;
  void* to_x;
  float* to_scale;
  float* to_shift;
  const float* saved;
  float* workspace;
  float slope;
};

void norm_backward(const NormShape& shape, const NormBackward& pass, void* stream);

}  // namespace mlpac::kernels
