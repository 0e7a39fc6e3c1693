#include "losses/role.h"

#include <cmath>

#include "distributed/batch_share.h"
#include "kernels/kernels.h"
#include "losses/assume_negative.h"
#include "nn/known_gradient.h"

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

/// Half of one side with its half of the penalty: one pass over the entries, and one more for the penalty's gradient.
RoleLoss fused_side(const at::Tensor& own, const at::Tensor& other, const at::Tensor& y, const EprSpec& spec) {
  const auto count = own.numel();
  const auto rows = static_cast<double>(own.size(0));
  const auto classes = static_cast<double>(own.size(1));
  const auto gradient = at::empty(own.sizes(), at::kFloat);
  const auto sums = kernels::taught_cross_entropy(own.data_ptr<float>(), other.data_ptr<float>(), y.data_ptr<float>(),
                                                  gradient.data_ptr<float>(), count, static_cast<float>(spec.epsilon),
                                                  static_cast<float>(0.5 / static_cast<double>(count)));
  const auto expected = over_batch(at::scalar_tensor(sums.pi, at::kDouble)).item<double>();
  const double excess = expected / static_cast<double>(rows_of_batch(own.size(0))) - spec.expected;
  kernels::add_sigmoid_slope(gradient.data_ptr<float>(), own.data_ptr<float>(), count,
                             static_cast<float>(excess / (classes * classes * rows)));
  const double penalty = 0.5 * excess * excess / (classes * classes);
  return {with_gradient(own, sums.loss + penalty, gradient), at::scalar_tensor(penalty)};
}

}  // namespace

RoleLoss role(const at::Tensor& z, const at::Tensor& estimated, const at::Tensor& y, const EprSpec& spec) {
  if (spec.epsilon > 0 && plain_floats(z) && plain_floats(estimated) && plain_floats(y)) {
    const auto network = fused_side(z, estimated, y, spec);
    const auto estimates = fused_side(estimated, z, y, spec);
    return {network.loss + estimates.loss, network.penalty + estimates.penalty};
  }
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
