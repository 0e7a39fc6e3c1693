#include "nn/fused_dense.h"

#include <algorithm>

#include "kernels/kernels.h"
#include "nn/known_gradient.h"
#include "nn/sparse_linear.h"

namespace mlpac {

namespace {

/// The input of every layer but a sparse first one, and the logits last.
std::vector<at::Tensor> all_layers(const DenseLayers& layers) {
  std::vector<at::Tensor> activations{layers.inputs.front()};
  for (std::size_t i = 0; i < layers.count(); ++i) {
    const auto weight = layers.parameters[2 * i].detach();
    const bool last = i + 1 == layers.count();
    at::Tensor x;
    if (i == 0 && layers.sparse()) {
      x = sparse_forward({layers.inputs[0], layers.inputs[1], layers.inputs[2]}, weight);
    } else {
      x = at::mm(activations.back(), weight.t());
    }
    kernels::add_bias(x.data_ptr<float>(), layers.parameters[2 * i + 1].data_ptr<float>(), x.size(0), x.size(1), !last);
    if (!last && !layers.dropout.empty()) x.mul_(layers.dropout[i]);
    activations.push_back(x);
  }
  return activations;
}

at::Tensor bias_gradient(const at::Tensor& g) {
  auto sums = at::empty({g.size(1)}, g.options());
  kernels::column_sums(sums.data_ptr<float>(), g.data_ptr<float>(), g.size(0), g.size(1));
  return sums;
}

struct FusedDense : torch::autograd::Function<FusedDense> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, at::TensorList parameters,
                            const DenseLayers* layers) {
    const at::AutoDispatchBelowAutograd below;
    auto activations = all_layers(*layers);
    auto logits = std::move(activations.back());
    activations.pop_back();
    context->saved_data["layers"] = static_cast<std::int64_t>(layers->count());
    context->saved_data["scale"] = layers->dropout_scale;
    auto saved = std::move(activations);  // inputs of the layers, then their weights
    for (std::size_t i = 0; i < layers->count(); ++i) saved.push_back(parameters[2 * i]);
    if (layers->sparse()) saved.insert(saved.end(), layers->inputs.begin(), layers->inputs.end());
    context->save_for_backward(std::move(saved));
    return logits;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::AutoDispatchBelowAutograd below;
    const auto layers = static_cast<std::size_t>(context->saved_data["layers"].toInt());
    const auto scale = static_cast<float>(context->saved_data["scale"].toDouble());
    const bool sparse = saved.size() > 2 * layers;
    torch::autograd::variable_list result(2 * layers + 1);  // the last belongs to the pointer
    auto g = gradients[0].contiguous();
    for (std::size_t i = layers; i-- > 0;) {
      const auto& weight = saved[layers + i];
      result[2 * i + 1] = bias_gradient(g);
      if (i == 0 && sparse) {
        const auto* const parts = &saved[2 * layers];
        result[0] = sparse_weight_gradient({parts[0], parts[1], parts[2]}, g, weight.sizes());
      } else {
        result[2 * i] = g.t().mm(saved[i]);
      }
      if (i == 0) break;
      g = g.mm(weight);
      kernels::relu_gradient(g.data_ptr<float>(), saved[i].data_ptr<float>(), g.numel(), scale);
    }
    return result;
  }
};

}  // namespace

bool can_fuse(const DenseLayers& layers) {
  if (Autocast::active(at::kCPU)) return false;
  const auto& x = layers.inputs.back();  // the matrix, or the stored values
  return plain_floats(x) && !x.requires_grad() &&
         std::all_of(layers.parameters.begin(), layers.parameters.end(), plain_floats);
}

at::Tensor fused_dense(const DenseLayers& layers) {
  if (at::GradMode::is_enabled()) return FusedDense::apply(at::TensorList(layers.parameters), &layers);
  return all_layers(layers).back();
}

}  // namespace mlpac
