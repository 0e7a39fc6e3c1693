#include "train/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "kernels/kernels.h"
#include "mlpac/error.h"
#include "nn/torch.h"
#include "train/state.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/adam.cuh"
#include "nn/cuda_queue.h"
#include "nn/upload.h"
#endif

namespace mlpac {

namespace {

using kernels::AdamCoefficients;

AdamCoefficients<float> in_float(const AdamCoefficients<double>& c) {
  const auto f = [](double x) { return static_cast<float>(x); };
  return {f(c.beta1),      f(c.beta2), f(c.rest1),      f(c.rest2), f(c.gradient_scale), f(c.l2), f(c.keep),
          f(c.keep_after), f(c.rate),  f(c.correction), f(c.eps)};
}

void update_cpu(const at::Tensor& value, const at::Tensor& gradient, at::Tensor& first, at::Tensor& second,
                const AdamCoefficients<float>& c) {
  const auto g = gradient.contiguous();
  auto* const p = value.data_ptr<float>();
  auto* const m = first.data_ptr<float>();
  auto* const v = second.data_ptr<float>();
  const auto* const gradients = g.data_ptr<float>();
  at::parallel_for(0, value.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    kernels::adam_update(p + begin, gradients + begin, m + begin, v + begin, end - begin, c);
  });
}

/// The same for the rows that a sparse gradient holds.
void update_rows_cpu(const at::Tensor& value, const at::Tensor& gradient, at::Tensor& first, at::Tensor& second,
                     const AdamCoefficients<float>& c) {
  const auto index = gradient._indices().squeeze(0).contiguous();
  const auto rows = gradient._values().contiguous();
  const auto* const at = index.data_ptr<std::int64_t>();
  const std::int64_t width = rows.size(1);
  at::parallel_for(0, index.numel(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = at[i] * width;
      kernels::adam_update(value.data_ptr<float>() + from, rows.data_ptr<float>() + i * width,
                           first.data_ptr<float>() + from, second.data_ptr<float>() + from, width, c);
    }
  });
}

/// Tensors that are updated by the same numbers.
struct TensorGroup {
  std::vector<at::Tensor> values, gradients, first, second;
};

#ifdef MLPAC_CUDA_KERNELS
/// Whether all of it is float32 on a GPU.
bool for_kernel(const TensorGroup& group) {
  return std::all_of(group.values.begin(), group.values.end(),
                     [](const at::Tensor& value) { return value.is_cuda() && value.scalar_type() == at::kFloat; });
}

/// One kernel for all tensors of a group; `factor` is a number on the device that gradients are multiplied by.
void update_gpu(TensorGroup& group, const AdamCoefficients<double>& c, const at::Tensor& factor) {
  std::vector<kernels::AdamChunk> chunks;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    const auto& value = group.values[i];
    auto& gradient = group.gradients[i];
    if (gradient.strides() != value.strides() || gradient.scalar_type() != at::kFloat) {
      gradient = at::empty_like(value).copy_(gradient);  // the kernel wants the same layout in all
    }
    for (std::int64_t first = 0; first < value.numel(); first += kernels::kAdamChunk) {
      chunks.push_back({value.data_ptr<float>() + first, gradient.data_ptr<float>() + first,
                        group.first[i].data_ptr<float>() + first, group.second[i].data_ptr<float>() + first,
                        std::min(kernels::kAdamChunk, value.numel() - first)});
    }
  }
  if (chunks.empty()) return;
  const auto bytes = static_cast<std::int64_t>(chunks.size() * sizeof(kernels::AdamChunk));
  const auto table = upload(torch::from_blob(chunks.data(), {bytes}, at::kByte), group.values.front().device());
  kernels::adam_update_chunks(
      static_cast<const kernels::AdamChunk*>(table.data_ptr()), static_cast<std::int64_t>(chunks.size()),
      factor.defined() ? factor.data_ptr<float>() : nullptr, in_float(c), queue_of(group.values.front()));
}
#endif

/// All tensors of a group in a few calls: on a GPU, starting the work on each by itself would take longer than doing
/// it.
void update_any(TensorGroup& group, const AdamCoefficients<double>& c, const at::Tensor& factor) {
#ifdef MLPAC_CUDA_KERNELS
  if (for_kernel(group)) return update_gpu(group, c, factor);
#endif
  auto x = group.gradients;
  if (c.gradient_scale != 1) x = at::_foreach_mul(x, c.gradient_scale);
  if (factor.defined()) {
    for (auto& gradient : x) gradient = gradient * factor;
  }
  if (c.l2 != 0) x = at::_foreach_add(x, group.values, c.l2);
  at::_foreach_mul_(group.first, c.beta1);
  at::_foreach_add_(group.first, x, c.rest1);
  at::_foreach_mul_(group.second, c.beta2);
  at::_foreach_addcmul_(group.second, x, x, c.rest2);
  if (c.keep != 1) at::_foreach_mul_(group.values, c.keep);
  const auto root = at::_foreach_sqrt(group.second);
  at::_foreach_mul_(root, c.correction);
  at::_foreach_add_(root, c.eps);
  at::_foreach_addcdiv_(group.values, group.first, root, -c.rate);
  if (c.keep_after != 1) at::_foreach_mul_(group.values, c.keep_after);
}

void update_rows_any(at::Tensor value, const at::Tensor& gradient, at::Tensor& first, at::Tensor& second,
                     const AdamCoefficients<double>& c, const at::Tensor& factor) {
  const auto index = gradient._indices().squeeze(0);
  TensorGroup rows{{value.index_select(0, index)},
                   {gradient._values()},
                   {first.index_select(0, index)},
                   {second.index_select(0, index)}};
  update_any(rows, c, factor);
  value.index_copy_(0, index, rows.values.front());
  first.index_copy_(0, index, rows.first.front());
  second.index_copy_(0, index, rows.second.front());
}

}  // namespace

Adam::Adam(std::vector<NamedParameter> parameters, const OptimizerSpec& spec)
    : spec_(spec), parameters_(std::move(parameters)) {
  for (const auto& parameter : parameters_) {
    first_.push_back(at::zeros_like(parameter.value));
    second_.push_back(at::zeros_like(parameter.value));
  }
}

Adam::Clip Adam::clip() const {
  if (spec_.clip <= 0) return {};
  std::vector<at::Tensor> norms;
  std::vector<at::Tensor> dense;
  for (const auto& parameter : parameters_) {
    const auto& gradient = parameter.value.grad();
    if (!gradient.defined()) continue;
    if (gradient.is_sparse()) {
      norms.push_back(gradient._values().norm());
    } else {
      dense.push_back(gradient);
    }
  }
  if (!dense.empty()) {
    const auto more = at::_foreach_norm(dense);
    norms.insert(norms.end(), more.begin(), more.end());
  }
  if (norms.empty()) return {};
  const auto norm = at::stack(norms).norm();
  if (norm.device().is_cpu()) return {.on_host = std::min(1.0, spec_.clip / (norm.item<double>() + 1e-6))};
  return {.on_device = (spec_.clip / (norm + 1e-6)).clamp_max(1).to(at::kFloat)};
}

void Adam::step(const Rate& rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const double beta1 = rate.beta1 >= 0 ? rate.beta1 : spec_.beta1;
  const auto [scale, factor] = clip();
  const auto t = static_cast<double>(steps_);
  const double correction1 = 1 - std::pow(beta1, t);
  const double correction2 = 1 - std::pow(spec_.beta2, t);
  std::map<std::pair<double, double>, std::pair<AdamCoefficients<double>, TensorGroup>> groups;  // by rate and decay
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    auto& value = parameters_[i].value;
    auto gradient = value.grad();
    if (!gradient.defined()) continue;
    if (gradient.is_sparse()) gradient = gradient.coalesce();
    const double lr = spec_.lr * rate.factor * parameters_[i].lr_scale;
    const bool kept = !parameters_[i].decays || (spec_.decay_matrices_only && value.dim() < 2);
    const double decay = kept ? 0 : spec_.weight_decay;
    // Both forms are rate * m / (sqrt(v) * correction + eps): the usual one divides v by its bias correction first.
    // transformers' form also differs in that the decay follows the update.
    const bool early = spec_.eps_before_correction;
    const AdamCoefficients<double> c{
        .beta1 = beta1,
        .beta2 = spec_.beta2,
        .rest1 = 1 - beta1,
        .rest2 = 1 - spec_.beta2,
        .gradient_scale = scale,
        .l2 = spec_.decoupled ? 0 : decay,
        .keep = spec_.decoupled && !early ? 1 - lr * decay : 1,
        .keep_after = spec_.decoupled && early ? 1 - lr * decay : 1,
        .rate = early ? lr * std::sqrt(correction2) / correction1 : lr / correction1,
        .correction = early ? 1 : 1 / std::sqrt(correction2),
        .eps = spec_.eps,
    };
    const bool fused = value.device().is_cpu() && value.scalar_type() == at::kFloat && value.is_contiguous();
    if (gradient.is_sparse()) {
      if (fused) {
        update_rows_cpu(value, gradient, first_[i], second_[i], in_float(c));
      } else {
        update_rows_any(value, gradient, first_[i], second_[i], c, factor);
      }
    } else if (fused) {
      update_cpu(value, gradient, first_[i], second_[i], in_float(c));
    } else {
      auto& [coefficients, group] = groups[{lr, decay}];
      coefficients = c;
      group.values.push_back(value);
      group.gradients.push_back(gradient);
      group.first.push_back(first_[i]);
      group.second.push_back(second_[i]);
    }
    value.mutable_grad() = at::Tensor();
  }
  for (auto& [key, entry] : groups) update_any(entry.second, entry.first, factor);
}

std::vector<at::Tensor> Adam::values() const {
  std::vector<at::Tensor> values;
  for (const auto& parameter : parameters_) values.push_back(parameter.value);
  return values;
}

void Adam::save(State& state, const std::string& prefix) const {
  state.values[prefix + "steps"] = steps_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    state.tensors[prefix + "first." + parameters_[i].name] = first_[i];
    state.tensors[prefix + "second." + parameters_[i].name] = second_[i];
  }
}

void Adam::load(const State& state, const std::string& prefix) {
  const auto tensor = [&](const std::string& name, const at::Tensor& like) {
    const auto it = state.tensors.find(name);
    if (it == state.tensors.end()) throw Error(fmt::format("optimiser state: '{}' is missing", name));
    // copy_ would stretch a smaller tensor without a word.
    if (it->second.sizes() != like.sizes()) throw Error(fmt::format("optimiser state: '{}' has another shape", name));
    return it->second;
  };
  const auto steps = state.values.find(prefix + "steps");
  if (steps == state.values.end() || !steps->is_number_integer()) {
    throw Error(fmt::format("optimiser state: '{}steps' is missing", prefix));
  }
  steps_ = steps->get<std::int64_t>();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    first_[i].copy_(tensor(prefix + "first." + parameters_[i].name, first_[i]));
    second_[i].copy_(tensor(prefix + "second." + parameters_[i].name, second_[i]));
  }
}

}  // namespace mlpac
