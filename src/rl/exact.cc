// The exact expected reward and its gradient. Because pi factorises over classes, linear rewards need only a -> pi;
// rewards divided by a random count need one integral:
//
//   E[ 1 / (1 + s + S_-c) ] = int_0^1 t^s prod_{j != c} (1 - q_j + q_j t) dt,   S_-c = sum_{j != c} Bernoulli(q_j),
//
// a polynomial in t, so Gauss-Legendre quadrature with enough nodes is exact (how many are used: quadrature_nodes).
//
// The mask holds probabilities in [0, 1]; a sampled mask is the special case {0, 1}. With `mask_logprob` the gradient
// that flows through pi_j is multiplied by m_j. Averaged over independent masks, the reward term of class c is then
// weighted by E[m_c m_c] = m_c for its own logit and by m_c m_j for the logit of another class j.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mlpac/rewards.h"
#include "nn/torch.h"
#include "rl/linear.h"

namespace mlpac {

namespace {

struct Quadrature {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// Gauss-Legendre on [0, 1], exact for polynomials of degree 2n - 1 (Newton iteration on the Legendre polynomial).
Quadrature gauss_legendre(std::int64_t n) {
  Quadrature rule;
  for (std::int64_t i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
    double derivative = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double p0 = 1;
      double p1 = x;
      for (std::int64_t j = 2; j <= n; ++j) {
        const auto d = static_cast<double>(j);
        const double p2 = ((2 * d - 1) * x * p1 - (d - 1) * p0) / d;
        p0 = p1;
        p1 = p2;
      }
      if (n == 1) p0 = 1;
      derivative = static_cast<double>(n) * (x * p1 - p0) / (x * x - 1);
      const double step = p1 / derivative;
      x -= step;
      if (std::abs(step) < 1e-15) break;
    }
    rule.nodes.push_back((x + 1) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * derivative * derivative));
  }
  return rule;
}

/// Nodes for an integrand of this degree. (degree + 1) / 2 would be exact, but the integrand is all on one side (t near
/// 1) and Gauss nodes crowd there, so about sqrt(degree) of them suffice. The worst case is t^degree, every class
/// counted: 2.6 sqrt(degree) nodes leave a relative error below 1e-10 (gradient: 1e-9) up to degree 4000, where a fixed
/// 64 would leave 1e-6 at degree 999 and 2e-3 at 1999. tests/unit/exact_test.cc checks this for 1000 classes.
std::int64_t quadrature_nodes(std::int64_t degree) {
  const auto enough = static_cast<std::int64_t>(std::ceil(2.6 * std::sqrt(static_cast<double>(degree))));
  return std::min(degree / 2 + 1, std::max<std::int64_t>(enough, 1));
}

/// E[1 / (1 + s + S_-c)] for every class c, [rows x classes]; `s` is [rows] or undefined for 0.
at::Tensor inverse_count(const at::Tensor& q, const at::Tensor& s = {}) {
  const auto classes = q.size(1);
  const auto degree = (classes - 1) + (s.defined() ? classes : 0);
  const auto rule = gauss_legendre(quadrature_nodes(degree));
  const auto options = at::TensorOptions(at::kDouble);
  const auto t = torch::tensor(rule.nodes, options).to(q.options()).view({-1, 1, 1});
  auto weight = torch::tensor(rule.weights, options).to(q.options()).view({-1, 1, 1});
  if (s.defined()) weight = weight * t.pow(s.view({1, -1, 1}));
  const auto log_factor = at::log1p(q.unsqueeze(0) * (t - 1));  // 1 - q + q t >= t > 0
  const auto leave_one_out = (log_factor.sum(-1, true) - log_factor).exp();
  return (weight * leave_one_out).sum(0);
}

/// x with its gradient multiplied by `scale`.
at::Tensor scale_gradient(const at::Tensor& x, const at::Tensor& scale) {
  const auto detached = x.detach();
  return detached + scale * (x - detached);
}

/// `pi` reaches the rewards with its full gradient, `masked` with the gradient the log-probability mask leaves.
at::Tensor expected_local(const at::Tensor& pi, const at::Tensor& masked, const at::Tensor& k, const at::Tensor& mask,
                          const RewardSpec& spec) {
  const auto mk = mask * k;
  switch (spec.normalisation) {
    case Normalisation::paper_mean:
      return ((2 * pi - 1) * mk).sum(-1) / mean_over(spec, k.size(1));
    case Normalisation::none:
      return ((2 * pi - 1) * mk).sum(-1);
    case Normalisation::docre_count:
      // The count over the other classes does not contain pi_c: its gradient is the cross term, weighted m_c m_j.
      return (mk * (pi - (1 - pi) * inverse_count(1 - masked))).sum(-1);
    case Normalisation::image_means: {
      // A dropped FALSE action neither counts nor is counted, so m_j is part of q_j already.
      const auto positive = (k * masked * inverse_count(masked)).sum(-1);
      return positive - (mk * (1 - pi) * inverse_count(mask * (1 - pi))).sum(-1);
    }
  }
  return {};
}

at::Tensor expected_global(const at::Tensor& masked, const at::Tensor& y, const RewardSpec& spec) {
  const auto annotated = (y > 0).to(masked.dtype());
  const auto count = annotated.sum(-1);
  const auto hits = masked * annotated;
  switch (spec.global) {
    case GlobalReward::recall:
    case GlobalReward::recall_plus_negative:
    case GlobalReward::batch_recall:
      return global_reward(masked, y, spec);  // linear: a -> pi
    case GlobalReward::precision:
      return (hits * inverse_count(masked)).sum(-1);
    case GlobalReward::f1:
      return (2 * hits * inverse_count(masked, count)).sum(-1);
    case GlobalReward::none:
      return (masked * 0).sum(-1);  // 0 with a gradient of 0, so that a loss without any reward can still be minimised
  }
  return {};
}

}  // namespace

PolicyObjective exact_objective(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y, const at::Tensor& mask,
                                double w, const RewardSpec& spec) {
  if (auto fast = exact_linear(z, k, y, mask, w, spec)) return *fast;
  const auto pi = at::sigmoid(z);
  const auto masked = spec.mask_logprob ? scale_gradient(pi, mask) : pi;
  PolicyObjective result;
  const auto global = expected_global(masked, y, spec);
  auto reward = w * global;
  result.global = global.detach().mean();
  if (spec.local) {
    const auto local = expected_local(pi, masked, k, mask, spec);
    reward = reward + local;
    result.local = local.detach().mean();
  } else {
    result.local = at::zeros({}, z.options());
  }
  result.loss = spec.reduction == Reduction::mean ? -reward.mean() : -reward.sum();
  return result;
}

}  // namespace mlpac
