#include "nn/biased_linear.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/column_sums.cuh"
#include "nn/cuda_queue.h"
#endif

namespace mlpac {

#ifdef MLPAC_CUDA_KERNELS

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor column_sums(const at::Tensor& x) {
  const kernels::ColumnSums sums{x.size(0), x.size(1)};
  auto result = at::empty({x.size(1)}, x.options());
  const auto workspace = at::empty({sums.workspace()}, x.options().dtype(at::kFloat));
  sums(x.data_ptr(), result.data_ptr(), workspace.data_ptr<float>(), queue_of(x));
  return result;
}

class BiasedLinear : public torch::autograd::Function<BiasedLinear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias) {
    context->save_for_backward({x, weight});
    return at::linear(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& weight = saved[1];
    const auto x = saved[0].reshape({-1, weight.size(1)});
    const auto gradient = gradients[0].reshape({-1, weight.size(0)}).contiguous();
    return {gradient.mm(weight).view(saved[0].sizes()), gradient.t().mm(x), column_sums(gradient)};
  }
};

}  // namespace

at::Tensor biased_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const bool fits = x.is_cuda() && at::GradMode::is_enabled() && weight.size(0) % kernels::kColumnStep == 0 &&
                    x.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16 &&
                    bias.scalar_type() == at::kBFloat16;
  return fits ? BiasedLinear::apply(x, weight, bias) : at::linear(x, weight, bias);
}

#else

at::Tensor biased_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::linear(x, weight, bias);
}

#endif

}  // namespace mlpac
