#include "train/optimizer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "kernels/kernels.h"
#include "mlpac/error.h"
#include "nn/torch.h"
#include "train/state.h"

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

void update_any(at::Tensor value, const at::Tensor& gradient, at::Tensor& first, at::Tensor& second,
                const AdamCoefficients<double>& c) {
  auto x = gradient * c.gradient_scale;
  if (c.l2 != 0) x.add_(value, c.l2);
  first.mul_(c.beta1).add_(x, c.rest1);
  second.mul_(c.beta2).addcmul_(x, x, c.rest2);
  if (c.keep != 1) value.mul_(c.keep);
  value.addcdiv_(first, second.sqrt().mul_(c.correction).add_(c.eps), -c.rate);
  if (c.keep_after != 1) value.mul_(c.keep_after);
}

void update_rows_any(at::Tensor value, const at::Tensor& gradient, at::Tensor& first, at::Tensor& second,
                     const AdamCoefficients<double>& c) {
  const auto index = gradient._indices().squeeze(0);
  auto rows = value.index_select(0, index);
  auto first_rows = first.index_select(0, index);
  auto second_rows = second.index_select(0, index);
  update_any(rows, gradient._values(), first_rows, second_rows, c);
  value.index_copy_(0, index, rows);
  first.index_copy_(0, index, first_rows);
  second.index_copy_(0, index, second_rows);
}

at::Tensor norm_of(const at::Tensor& gradient) {
  return gradient.is_sparse() ? gradient._values().norm() : gradient.norm();
}

}  // namespace

Adam::Adam(std::vector<NamedParameter> parameters, const OptimizerSpec& spec)
    : spec_(spec), parameters_(std::move(parameters)) {
  for (const auto& parameter : parameters_) {
    first_.push_back(at::zeros_like(parameter.value));
    second_.push_back(at::zeros_like(parameter.value));
  }
}

double Adam::clip_factor() const {
  if (spec_.clip <= 0) return 1;
  std::vector<at::Tensor> norms;
  for (const auto& parameter : parameters_) {
    if (parameter.value.grad().defined()) norms.push_back(norm_of(parameter.value.grad()));
  }
  if (norms.empty()) return 1;
  const double norm = at::stack(norms).norm().item<double>();
  return std::min(1.0, spec_.clip / (norm + 1e-6));
}

void Adam::step(const Rate& rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const double beta1 = rate.beta1 >= 0 ? rate.beta1 : spec_.beta1;
  const double scale = clip_factor();
  const auto t = static_cast<double>(steps_);
  const double correction1 = 1 - std::pow(beta1, t);
  const double correction2 = 1 - std::pow(spec_.beta2, t);
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
        update_rows_any(value, gradient, first_[i], second_[i], c);
      }
    } else if (fused) {
      update_cpu(value, gradient, first_[i], second_[i], in_float(c));
    } else {
      update_any(value, gradient, first_[i], second_[i], c);
    }
    value.mutable_grad() = at::Tensor();
  }
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
