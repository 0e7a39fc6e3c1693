#include "nn/pools.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/pools.cuh"
#include "nn/cuda_queue.h"
#include "nn/pixels.h"
#endif

namespace mlpac {

namespace {

#ifdef MLPAC_CUDA_KERNELS

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class FusedPool : public torch::autograd::Function<FusedPool> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, kernels::Pool kind) {
    const kernels::PoolShape shape{x.size(0), x.size(2), x.size(3), x.size(1)};
    context->saved_data["height"] = shape.height;
    context->saved_data["width"] = shape.width;
    context->saved_data["blur"] = kind == kernels::Pool::blur;
    auto y = at::empty({shape.images, shape.channels, shape.pooled_height(), shape.pooled_width()},
                       x.options().memory_format(at::MemoryFormat::ChannelsLast));
    kernels::pool(shape, kind, x.data_ptr(), y.data_ptr(), queue_of(x));
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const kernels::PoolShape shape{gradient.size(0), context->saved_data["height"].toInt(),
                                   context->saved_data["width"].toInt(), gradient.size(1)};
    const auto kind = context->saved_data["blur"].toBool() ? kernels::Pool::blur : kernels::Pool::average;
    const auto to_x = at::empty({shape.images, shape.channels, shape.height, shape.width},
                                gradient.options().memory_format(at::MemoryFormat::ChannelsLast));
    kernels::pool_backward(shape, kind, gradient.data_ptr(), to_x.data_ptr(), queue_of(gradient));
    return {to_x, at::Tensor()};
  }
};

#endif

}  // namespace

at::Tensor blur_pool(const at::Tensor& x) {
#ifdef MLPAC_CUDA_KERNELS
  if (are_fusible_pixels(x) && x.size(2) > 1 && x.size(3) > 1) return FusedPool::apply(x, kernels::Pool::blur);
#endif
  // Made on the device: a copy from the host would make it wait in every step.
  const auto line = (2 - (at::arange(3, x.options()) - 1).abs()) / 4;  // [1 2 1] / 4
  const auto kernel = (line.unsqueeze(1) * line.unsqueeze(0)).expand({x.size(1), 1, 3, 3});
  return at::conv2d(at::reflection_pad2d(x, {1, 1, 1, 1}), kernel, {}, at::IntArrayRef{2, 2}, at::IntArrayRef{0, 0},
                    at::IntArrayRef{1, 1}, x.size(1));
}

at::Tensor average_pool(const at::Tensor& x) {
#ifdef MLPAC_CUDA_KERNELS
  if (are_fusible_pixels(x)) return FusedPool::apply(x, kernels::Pool::average);
#endif
  return at::avg_pool2d(x, 2, 2, 0, /*ceil_mode=*/true, /*count_include_pad=*/false);
}

}  // namespace mlpac
