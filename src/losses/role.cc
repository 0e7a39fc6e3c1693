#include "losses/role.h"

#include <cmath>

#include "nn/torch.h"

namespace mlpac {

namespace {

double logit(double p) { return std::log(p / (1 - p)); }

/// (mean over rows of the expected number of positives - k)^2 / classes^2.
at::Tensor penalty_of(const at::Tensor& p, double expected) {
  const auto classes = static_cast<double>(p.size(1));
  return (p.sum(1).mean() - expected).square() / (classes * classes);
}

/// What one of the two learns from annotations and from what the other believes.
at::Tensor one_side(const at::Tensor& own, const at::Tensor& other, const at::Tensor& y, double epsilon) {
  const auto up = -(own + epsilon).log();
  const auto down = -(1 - own + epsilon).log();
  const auto belief = other.detach();
  return ((y > 0) * up + (y < 0) * down + belief * up + (1 - belief) * down).mean();
}

}  // namespace

RoleLoss role(const at::Tensor& z, const at::Tensor& estimated, const at::Tensor& y, const RoleSpec& spec) {
  const auto f = at::sigmoid(z);
  const auto g = at::sigmoid(estimated);
  const auto penalty = 0.5 * (penalty_of(f, spec.expected) + penalty_of(g, spec.expected));
  return {0.5 * (one_side(f, g, y, spec.epsilon) + one_side(g, f, y, spec.epsilon)) + penalty, penalty};
}

at::Tensor role_initial_logits(const at::Tensor& draws, const at::Tensor& y) {
  return ((2 * draws - 1) * logit(0.6)).masked_fill(y > 0, logit(0.995)).masked_fill(y < 0, logit(0.005));
}

at::Tensor role_logits(const at::Tensor& probabilities) {
  const auto p = probabilities.clamp(1e-5, 1 - 1e-5);
  return (p / (1 - p)).log();
}

}  // namespace mlpac
