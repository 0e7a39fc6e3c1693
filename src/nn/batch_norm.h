// Batch norm and the activation after it, which every convolutional network shares.
#pragma once

#include "nn/torch.h"

namespace mlpac {

struct BatchStatistics {
  at::Tensor mean;
  at::Tensor variance;
  bool training;
};

struct NormSpec {
  double momentum = 0.1;
  double eps = 1e-5;
  double slope = 1;  ///< of what is below 0 after it: 0 is ReLU, 1 no activation
};

/// Channels of x [images x channels x height x width] normalised, scaled and shifted, then activated; while training,
/// the running statistics move. A channel with a single value has no variance: its running statistics serve, as they do
/// in evaluation. `offset` [channels] is a bias that x lacks: only the running mean contains it.
at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                      const BatchStatistics& running, const NormSpec& spec, const at::Tensor& offset = {});

/// The same by the parameters of a module, which counts the batches it has seen.
at::Tensor batch_norm(torch::nn::BatchNorm2dImpl& norm, const at::Tensor& x, double slope,
                      const at::Tensor& offset = {});

/// Batch norm of a convolution that is padded by half of its kernel. While training the norm takes the mean away, and
/// with it the convolution's bias, which therefore is not added (its gradient is 0).
at::Tensor normed_convolution(torch::nn::Conv2dImpl& convolution, torch::nn::BatchNorm2dImpl& norm, const at::Tensor& x,
                              double slope);

}  // namespace mlpac
