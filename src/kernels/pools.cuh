// Pools that halve width and height, on a GPU: images in bfloat16 with the channels of a pixel side by side. Plain
// pointers: no LibTorch header, no CUDA header.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

/// Of the larger images. Channels: a multiple of 8.
struct PoolShape {
  std::int64_t images, height, width, channels;

  std::int64_t pooled_height() const { return (height + 1) / 2; }
  std::int64_t pooled_width() const { return (width + 1) / 2; }
};

enum class Pool {
  average,  ///< of 2 x 2 pixels; of fewer at the end of an odd side
  blur,     ///< [1 2 1] x [1 2 1] / 16 at every second pixel, borders reflected; sides of at least 2
};

void pool(const PoolShape& shape, Pool kind, const void* x, void* y, void* stream);
/// `to_x` is written, not added to.
void pool_backward(const PoolShape& shape, Pool kind, const void* gradient, void* to_x, void* stream);

}  // namespace mlpac::kernels
