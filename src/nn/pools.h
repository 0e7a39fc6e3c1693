// Pools that halve width and height.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// The sharpest blur that keeps half the resolution free of aliases, at every second pixel: [1 2 1] x [1 2 1] / 16 over
/// reflected borders.
at::Tensor blur_pool(const at::Tensor& x);

/// Means of 2 x 2 pixels, of fewer at the end of an odd side.
at::Tensor average_pool(const at::Tensor& x);

}  // namespace mlpac
