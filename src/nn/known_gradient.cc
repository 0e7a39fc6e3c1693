#include "nn/known_gradient.h"

namespace mlpac {

namespace {

struct KnownGradient : torch::autograd::Function<KnownGradient> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& z, double value,
                            const at::Tensor& gradient) {
    context->save_for_backward({gradient});
    return at::scalar_tensor(value, z.options());
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    auto gradient = context->get_saved_variables().front();
    if (const float factor = gradients[0].item<float>(); factor != 1) gradient = gradient * factor;
    return {gradient, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor with_gradient(const at::Tensor& z, double value, const at::Tensor& gradient) {
  return KnownGradient::apply(z, value, gradient);
}

}  // namespace mlpac
