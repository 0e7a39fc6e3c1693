#include "nn/gated_sum.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/gated_sum.cuh"
#include "nn/cuda_queue.h"
#include "nn/pixels.h"
#endif

namespace mlpac {

namespace {

#ifdef MLPAC_CUDA_KERNELS

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::GateShape shape_of(const at::Tensor& y) { return {y.size(0), y.size(2) * y.size(3), y.size(1)}; }

const float* floats_or_null(const at::Tensor& x) { return x.numel() > 0 ? x.data_ptr<float>() : nullptr; }
void* data_or_null(const at::Tensor& x) { return x.numel() > 0 ? x.data_ptr() : nullptr; }

/// An empty tensor stands for what is not there: LibTorch 2.x refuses undefined arguments.
class FusedGatedSum : public torch::autograd::Function<FusedGatedSum> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& y, const at::Tensor& shortcut,
                            const at::Tensor& reduce, const at::Tensor& reduce_bias, const at::Tensor& expand,
                            const at::Tensor& expand_bias) {
    // The gate is small: in float32.
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastCUDA);
    const auto shape = shape_of(y);
    const auto none = floats_beside(y, {0});
    auto means = none;
    auto hidden = none;
    auto factor = none;
    if (reduce.numel() > 0) {
      means = floats_beside(y, {shape.images, shape.channels});
      const auto workspace = floats_beside(y, {shape.workspace()});
      kernels::image_means(shape, y.data_ptr(), means.data_ptr<float>(), workspace.data_ptr<float>(), queue_of(y));
      hidden = at::addmm(reduce_bias, means, reduce.t()).relu_();
      factor = at::addmm(expand_bias, hidden, expand.t()).sigmoid_();
    }
    auto sum = at::empty_like(y);
    kernels::gated_sum(shape,
                       {.y = y.data_ptr(),
                        .shortcut = data_or_null(shortcut),
                        .factor = floats_or_null(factor),
                        .sum = sum.data_ptr()},
                       queue_of(y));
    const bool summed = shortcut.numel() > 0;
    context->save_for_backward(
        {reduce.numel() > 0 ? y : none, summed ? sum : none, means, hidden, factor, reduce, expand});
    return sum;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& [y, sum, means, hidden] = std::tie(saved[0], saved[1], saved[2], saved[3]);
    const auto& [factor, reduce, expand] = std::tie(saved[4], saved[5], saved[6]);
    const auto gradient = gradients[0].to(at::kBFloat16).contiguous(at::MemoryFormat::ChannelsLast);
    const auto shape = shape_of(gradient);
    const bool gated = factor.numel() > 0;
    const bool summed = sum.numel() > 0;
    const auto to_y = at::empty_like(gradient);
    // Without a gate both gradients are the same.
    const auto to_shortcut = summed && gated ? at::empty_like(gradient) : to_y;
    kernels::GatedSumBackward pass{.gradient = gradient.data_ptr(),
                                   .sum = data_or_null(sum),
                                   .y = data_or_null(y),
                                   .factor = floats_or_null(factor),
                                   .to_mean = nullptr,
                                   .to_y = to_y.data_ptr(),
                                   .to_shortcut = summed && gated ? to_shortcut.data_ptr() : nullptr};
    if (!gated) {
      kernels::gated_sum_backward(shape, pass, queue_of(gradient));
      return {to_y, to_shortcut, {}, {}, {}, {}};
    }
    const auto to_factor = floats_beside(gradient, factor.sizes());
    const auto workspace = floats_beside(gradient, {shape.workspace()});
    kernels::gate_gradient(shape, pass, to_factor.data_ptr<float>(), workspace.data_ptr<float>(), queue_of(gradient));
    const auto to_expanded = to_factor * factor * (1 - factor);
    const auto to_hidden = to_expanded.mm(expand) * (hidden > 0);
    const auto to_mean = (to_hidden.mm(reduce) / static_cast<double>(shape.pixels)).contiguous();
    pass.to_mean = to_mean.data_ptr<float>();
    kernels::gated_sum_backward(shape, pass, queue_of(gradient));
    return {to_y,
            summed ? to_shortcut : at::Tensor(),
            to_hidden.t().mm(means),
            to_hidden.sum(0),
            to_expanded.t().mm(hidden),
            to_expanded.sum(0)};
  }
};

bool fusible(const at::Tensor& y, const Gate& gate, const at::Tensor& shortcut) {
  const bool plain_gate = !gate.reduce || gate.reduce->weight.scalar_type() == at::kFloat;
  const bool same = !shortcut.defined() || (are_fusible_pixels(shortcut) && shortcut.sizes() == y.sizes());
  return are_fusible_pixels(y) && y.size(0) <= kernels::kGateMostImages && y.size(1) <= kernels::kGateMostChannels &&
         plain_gate && same;
}

at::Tensor fused(const at::Tensor& y, const Gate& gate, const at::Tensor& shortcut) {
  const auto none = floats_beside(y, {0});
  const auto other = shortcut.defined() ? shortcut : none;
  if (!gate.reduce) return FusedGatedSum::apply(y, other, none, none, none, none);
  const auto matrix = [](const torch::nn::Conv2d& pointwise) { return pointwise->weight.flatten(1); };
  return FusedGatedSum::apply(y, other, matrix(gate.reduce), gate.reduce->bias, matrix(gate.expand), gate.expand->bias);
}

#endif

}  // namespace

at::Tensor gated_sum(const at::Tensor& y, const Gate& gate, const at::Tensor& shortcut) {
#ifdef MLPAC_CUDA_KERNELS
  if (fusible(y, gate, shortcut)) return fused(y, gate, shortcut);
#endif
  auto result = y;
  if (gate.reduce) {
    auto reduce = gate.reduce;
    auto expand = gate.expand;
    result = y * at::sigmoid(expand->forward(at::relu(reduce->forward(y.mean({2, 3}, true)))));
  }
  return shortcut.defined() ? (result + shortcut).relu_() : result;
}

}  // namespace mlpac
