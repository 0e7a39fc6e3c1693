#include "nn/batch_norm.h"

#include "nn/shared_norm.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/batch_norm.cuh"
#include "nn/cuda_queue.h"
#include "nn/pixels.h"
#endif

namespace mlpac {

namespace {

#ifdef MLPAC_CUDA_KERNELS

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::NormShape shape_of(const at::Tensor& x) { return {x.size(0) * x.size(2) * x.size(3), x.size(1)}; }

struct Normed {
  at::Tensor y;
  at::Tensor saved;
};

Normed normed(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift, const BatchStatistics& running,
              const NormSpec& spec, const at::Tensor& offset) {
  const auto shape = shape_of(x);
  Normed result{at::empty_like(x), floats_beside(x, {kernels::kNormSaved * shape.channels})};
  const auto workspace = floats_beside(x, {kernels::norm_workspace(shape)});
  kernels::norm_forward(shape,
                        {.x = x.data_ptr(),
                         .y = result.y.data_ptr(),
                         .scale = scale.data_ptr<float>(),
                         .shift = shift.data_ptr<float>(),
                         .offset = offset.defined() ? offset.data_ptr<float>() : nullptr,
                         .running_mean = running.mean.data_ptr<float>(),
                         .running_variance = running.variance.data_ptr<float>(),
                         .saved = result.saved.data_ptr<float>(),
                         .workspace = workspace.data_ptr<float>(),
                         .momentum = static_cast<float>(spec.momentum),
                         .eps = static_cast<float>(spec.eps),
                         .slope = static_cast<float>(spec.slope),
                         .training = running.training},
                        queue_of(x));
  return result;
}

/// What has no gradient. Beside the tensors, because LibTorch 2.x refuses arguments that are undefined, as `offset` may
/// be.
struct NormConstants {
  BatchStatistics running;
  NormSpec spec;
  at::Tensor offset;
};

class FusedNorm : public torch::autograd::Function<FusedNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& shift, const NormConstants& constants) {
    auto [y, saved] = normed(x, scale, shift, constants.running, constants.spec, constants.offset);
    context->save_for_backward({x, saved});
    context->saved_data["slope"] = constants.spec.slope;
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto shape = shape_of(x);
    const auto gradient = gradients[0].to(x.scalar_type()).contiguous(at::MemoryFormat::ChannelsLast);
    const auto to_x = at::empty_like(x);
    const auto to_scale = floats_beside(x, {shape.channels});
    const auto to_shift = floats_beside(x, {shape.channels});
    const auto workspace = floats_beside(x, {kernels::norm_workspace(shape)});
    kernels::norm_backward(shape,
                           {.x = x.data_ptr(),
                            .gradient = gradient.data_ptr(),
                            .to_x = to_x.data_ptr(),
                            .to_scale = to_scale.data_ptr<float>(),
                            .to_shift = to_shift.data_ptr<float>(),
                            .saved = saved[1].data_ptr<float>(),
                            .workspace = workspace.data_ptr<float>(),
                            .slope = static_cast<float>(context->saved_data["slope"].toDouble())},
                           queue_of(x));
    return {to_x, to_scale, to_shift, at::Tensor()};
  }
};

/// What the kernels are written for.
bool fusible(const at::Tensor& x, const at::Tensor& scale, const BatchStatistics& running) {
  return are_fusible_pixels(x) && scale.scalar_type() == at::kFloat && x.size(1) <= kernels::kNormMostChannels &&
         (running.training || !at::GradMode::is_enabled());
}

#endif

at::Tensor activated(at::Tensor y, double slope) {
  if (slope == 1) return y;
  return slope == 0 ? y.relu_() : at::leaky_relu_(y, slope);  // in place: half the traffic to memory
}

/// A convolution without its bias. On a GPU, channels that do not fill a tensor core's step of 8 get zeros beside them.
at::Tensor unbiased_convolution(const torch::nn::Conv2dImpl& convolution, at::Tensor x) {
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

bool single_value(const at::Tensor& x) { return rows_of_batch(x.size(0)) * x.size(2) * x.size(3) == 1; }

}  // namespace

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                      const BatchStatistics& running, const NormSpec& spec, const at::Tensor& offset) {
  const bool training = running.training && !single_value(x);
  const auto bias = offset.defined() ? offset.detach() : offset;
  if (const auto* const share = BatchShare::current(); share != nullptr && training) {
    return activated(shared_norm(x, scale, shift, running, spec, bias, *share), spec.slope);
  }
#ifdef MLPAC_CUDA_KERNELS
  const BatchStatistics own{running.mean, running.variance, training};
  if (fusible(x, scale, own)) {
    if (!training) return normed(x, scale, shift, own, spec, bias).y;
    return FusedNorm::apply(x, scale, shift, NormConstants{own, spec, bias});
  }
#endif
  const auto mean = bias.defined() ? running.mean - bias : running.mean;
  auto y = at::batch_norm(x, scale, shift, mean, running.variance, training, spec.momentum, spec.eps,
                          at::globalContext().userEnabledCuDNN());
  if (training && bias.defined()) running.mean.copy_(mean + bias);
  return activated(y, spec.slope);
}

at::Tensor batch_norm(torch::nn::BatchNorm2dImpl& norm, const at::Tensor& x, double slope, const at::Tensor& offset) {
  if (norm.is_training()) norm.num_batches_tracked += 1;
  // A bias that the norm takes away has no influence, and so the gradient 0.
  const auto shift = offset.defined() && offset.requires_grad() ? norm.bias + 0 * offset : norm.bias;
  return batch_norm(x, norm.weight, shift, {norm.running_mean, norm.running_var, norm.is_training()},
                    {*norm.options.momentum(), norm.options.eps(), slope}, offset);
}

at::Tensor normed_convolution(torch::nn::Conv2dImpl& convolution, torch::nn::BatchNorm2dImpl& norm, const at::Tensor& x,
                              double slope) {
  const auto y = unbiased_convolution(convolution, x);
  if (!convolution.bias.defined()) return batch_norm(norm, y, slope);
  // Running statistics do not contain this batch's bias: it has to be added.
  const bool fixed = norm.is_training() ? single_value(y) : at::GradMode::is_enabled();
  if (fixed) return batch_norm(norm, y + convolution.bias.view({1, -1, 1, 1}), slope);
  return batch_norm(norm, y, slope, convolution.bias);
}

}  // namespace mlpac
