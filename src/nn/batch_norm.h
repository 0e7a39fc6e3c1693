// Batch norm that every convolutional network shares.
#pragma once

#include "nn/torch.h"

namespace mlpac {

struct BatchStatistics {
  at::Tensor mean;
  at::Tensor variance;
  bool training;
};

/// Channels of x [images x channels x height x width] normalised, scaled and shifted; while training, the running
/// statistics move by `momentum`. A channel with a single value has no variance: its running statistics serve, as they
/// do in evaluation.
inline at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                             const BatchStatistics& running, double momentum, double eps) {
  const bool several = x.size(0) * x.size(2) * x.size(3) > 1;
  return at::batch_norm(x, scale, shift, running.mean, running.variance, running.training && several, momentum, eps,
                        at::globalContext().userEnabledCuDNN());
}

/// The same by the parameters of a module, which counts the batches it has seen.
inline at::Tensor batch_norm(torch::nn::BatchNorm2dImpl& norm, const at::Tensor& x) {
  if (norm.is_training()) norm.num_batches_tracked += 1;
  return batch_norm(x, norm.weight, norm.bias, {norm.running_mean, norm.running_var, norm.is_training()},
                    *norm.options.momentum(), norm.options.eps());
}

}  // namespace mlpac
