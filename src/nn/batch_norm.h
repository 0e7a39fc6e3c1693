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

/// A convolution that is padded by half of its kernel, without its bias. On a GPU, channels that do not fill a tensor
/// core's step of 8 get zeros beside them.
inline at::Tensor unbiased_convolution(const torch::nn::Conv2dImpl& convolution, at::Tensor x) {
  constexpr std::int64_t kStep = 8;
  auto weight = convolution.weight;
  const auto outputs = weight.size(0);
  const auto missing = [&](std::int64_t channels) { return x.is_cuda() ? (kStep - channels % kStep) % kStep : 0; };
  if (const auto inputs = missing(weight.size(1)); inputs > 0) {
    weight = at::constant_pad_nd(weight, {0, 0, 0, 0, 0, inputs});
    x = at::constant_pad_nd(x, {0, 0, 0, 0, 0, inputs}).contiguous(at::MemoryFormat::ChannelsLast);
  }
  const auto more = missing(outputs);
  if (more > 0) weight = at::constant_pad_nd(weight, {0, 0, 0, 0, 0, 0, 0, more});
  const auto y = at::conv2d(x, weight.contiguous(at::MemoryFormat::ChannelsLast), {}, convolution.options.stride(),
                            {weight.size(2) / 2, weight.size(3) / 2});
  return more > 0 ? y.slice(1, 0, outputs).contiguous(at::MemoryFormat::ChannelsLast) : y;
}

/// Batch norm of convolution(x). While training it takes the mean away, and with it the convolution's bias, which
/// therefore is not added (its gradient is 0): only the running mean contains it.
inline at::Tensor normed_convolution(torch::nn::Conv2dImpl& convolution, torch::nn::BatchNorm2dImpl& norm,
                                     const at::Tensor& x) {
  const auto y = unbiased_convolution(convolution, x);
  const bool training = norm.is_training();
  const bool single = y.size(0) * y.size(2) * y.size(3) == 1;
  if (training ? single : at::GradMode::is_enabled()) {  // the statistics do not depend on the bias
    return batch_norm(norm, y + convolution.bias.view({1, -1, 1, 1}));
  }
  const auto bias = convolution.bias.detach();
  const auto mean = norm.running_mean - bias;
  const auto shift = norm.bias + 0 * convolution.bias;
  const auto result = batch_norm(y, norm.weight, shift, {mean, norm.running_var, training}, *norm.options.momentum(),
                                 norm.options.eps());
  if (training) {
    norm.num_batches_tracked += 1;
    norm.running_mean.copy_(mean + bias);
  }
  return result;
}

}  // namespace mlpac
