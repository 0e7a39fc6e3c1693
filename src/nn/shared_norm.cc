#include "nn/shared_norm.h"

namespace mlpac {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// A number per channel beside images.
at::Tensor beside(const at::Tensor& channels) { return channels.view({1, -1, 1, 1}); }

struct Statistics {
  at::Tensor mean;     ///< float64
  at::Tensor squares;  ///< sum of the squared distances from it, float64
  double count;        ///< values per channel
};

/// Mean and squares of every process are combined (Chan et al. 1979), which loses no digits to large means.
Statistics statistics(const at::Tensor& x, const BatchShare& share) {
  const auto channels = x.size(1);
  const double count = share.counts() ? static_cast<double>(x.numel() / channels) : 0;
  const auto mean = x.mean({0, 2, 3});
  const auto squares = (x - beside(mean)).pow(2).sum({0, 2, 3});
  const auto own = at::cat({at::full({1}, count, x.options().dtype(at::kDouble)), mean.to(at::kDouble),
                            share.counts() ? squares.to(at::kDouble) : at::zeros_like(squares, at::kDouble)});
  const auto all = share.group().gather(own.unsqueeze(0));
  const auto counts = all.slice(1, 0, 1);
  const auto means = all.slice(1, 1, 1 + channels);
  const auto total = counts.sum();
  const auto common = (counts * means).sum(0) / total;
  const auto spread = (counts * (means - common).pow(2)).sum(0);
  return {common, all.slice(1, 1 + channels).sum(0) + spread, total.item<double>()};
}

/// (x - mean) / deviation, where both depend on every x of every process.
struct SharedNorm : torch::autograd::Function<SharedNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& mean,
                            const at::Tensor& inverse, double count, const BatchShare* share) {
    context->save_for_backward({x, mean, inverse});
    context->saved_data["count"] = count;
    context->saved_data["group"] = reinterpret_cast<std::int64_t>(&share->group());
    return (x.to(at::kFloat) - beside(mean)) * beside(inverse);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& inverse = saved[2];
    const auto normed = (saved[0].to(at::kFloat) - beside(saved[1])) * beside(inverse);
    const auto gradient = gradients[0].to(at::kFloat);
    auto sums = at::stack({gradient.sum({0, 2, 3}), (gradient * normed).sum({0, 2, 3})});
    reinterpret_cast<const Group*>(context->saved_data["group"].toInt())->sum(sums);
    sums = sums / context->saved_data["count"].toDouble();
    const auto to_x = beside(inverse) * (gradient - beside(sums[0]) - normed * beside(sums[1]));
    return {to_x.to(saved[0].scalar_type()), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor shared_norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                       const BatchStatistics& running, const NormSpec& spec, const at::Tensor& offset,
                       const BatchShare& share) {
  at::Tensor mean;
  at::Tensor inverse;
  double count = 0;
  {
    const at::NoGradGuard no_grad;
    const auto all = statistics(x.detach().to(at::kFloat), share);
    count = all.count;
    mean = all.mean.to(at::kFloat);
    inverse = (all.squares / count + spec.eps).rsqrt().to(at::kFloat);
    const auto moved = offset.defined() ? mean + offset.detach() : mean;
    running.mean.mul_(1 - spec.momentum).add_(moved, spec.momentum);
    running.variance.mul_(1 - spec.momentum).add_((all.squares / (count - 1)).to(at::kFloat), spec.momentum);
  }
  const auto normed = SharedNorm::apply(x, mean, inverse, count, &share);
  return (normed * beside(scale) + beside(shift)).to(x.scalar_type());
}

}  // namespace mlpac
