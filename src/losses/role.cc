#include "losses/role.h"

#include <cmath>

#include "losses/assume_negative.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

double logit(double p) { return std::log(p / (1 - p)); }

/// What one of the two learns from annotations and from the other.
at::Tensor one_side(const at::Tensor& own, const at::Tensor& other, const at::Tensor& y, const EprSpec& spec) {
  const auto up = negative_log(own, spec.epsilon);
  const auto down = negative_log(-own, spec.epsilon);
  const auto belief = at::sigmoid(other.detach());
  const auto known = (y > 0).to(own.dtype()) * up + (y < 0).to(own.dtype()) * down;
  return (known + belief * up + (1 - belief) * down).mean();
}

}  // namespace

RoleLoss role(const at::Tensor& z, const at::Tensor& estimated, const at::Tensor& y, const EprSpec& spec) {
  const auto penalty =
      0.5 * (expected_positives_penalty(z, spec.expected) + expected_positives_penalty(estimated, spec.expected));
  return {0.5 * (one_side(z, estimated, y, spec) + one_side(estimated, z, y, spec)) + penalty, penalty};
}

at::Tensor role_initial_logits(const at::Tensor& draws, const at::Tensor& y) {
  auto logits = (2 * draws - 1) * logit(0.6);
  return logits.masked_fill(y > 0, logit(0.995)).masked_fill(y < 0, logit(0.005));
}

at::Tensor role_logits(const at::Tensor& probabilities) {
  const auto p = probabilities.clamp(1e-5, 1 - 1e-5);
  return (p / (1 - p)).log();
}

}  // namespace mlpac
