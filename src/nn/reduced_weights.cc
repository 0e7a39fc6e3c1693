#include "nn/reduced_weights.h"

namespace mlpac {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Copies of all tensors in another type.
variable_list cast(const variable_list& tensors, at::ScalarType type) {
  variable_list results;
  variable_list from;
  variable_list to;
  for (const auto& tensor : tensors) {
    results.push_back(tensor.defined() ? at::empty_like(tensor, tensor.options().dtype(type).requires_grad(false))
                                       : at::Tensor());
    if (!tensor.defined()) continue;
    from.push_back(tensor.detach());
    to.push_back(results.back());
  }
#if MLPAC_TORCH_2
  if (!to.empty()) at::_foreach_copy_(to, from);
#else
  for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
#endif
  return results;
}

class Cast : public torch::autograd::Function<Cast> {
 public:
  static variable_list forward(AutogradContext* /*context*/, at::TensorList parameters) {
    return cast(parameters.vec(), at::kBFloat16);
  }
  static variable_list backward(AutogradContext* /*context*/, const variable_list& gradients) {
    return cast(gradients, at::kFloat);
  }
};

}  // namespace

ReducedWeights::ReducedWeights(const std::vector<at::Tensor>& parameters) {
  const auto reduced = Cast::apply(at::TensorList(parameters));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    reduced_.emplace(parameters[i].unsafeGetTensorImpl(), reduced[i]);
  }
}

at::Tensor ReducedWeights::operator()(const at::Tensor& parameter) const {
  const auto it = reduced_.find(parameter.unsafeGetTensorImpl());
  return it == reduced_.end() ? parameter : it->second;
}

}  // namespace mlpac
