#include "rl/linear.h"

#include <algorithm>

#include "distributed/batch_share.h"
#include "kernels/kernels.h"
#include "nn/known_gradient.h"

namespace mlpac {

namespace {

std::optional<kernels::LinearReward> linear_reward(const RewardSpec& spec, double w, const at::Tensor& z,
                                                   const at::Tensor& y) {
  const bool mean = spec.normalisation == Normalisation::paper_mean;
  if (spec.local && !mean && spec.normalisation != Normalisation::none) return {};
  if (spec.global == GlobalReward::precision || spec.global == GlobalReward::f1) return {};
  const auto rows = static_cast<float>(z.size(0));
  const bool negative = spec.global == GlobalReward::recall_plus_negative;
  return kernels::LinearReward{
      .local = !spec.local ? 0.0F
               : mean      ? static_cast<float>(1 / mean_over(spec, z.size(1)))
                           : 1.0F,
      .w = static_cast<float>(w),
      .recall = spec.global == GlobalReward::none ? 0.0F : 1.0F,
      .batch_share = spec.global == GlobalReward::batch_recall
                         ? static_cast<float>(rows_of_batch(z.size(0))) /
                               std::max(1.0F, static_cast<float>(over_batch((y > 0).sum()).item<std::int64_t>()))
                         : 0.0F,
      .negative = negative ? static_cast<float>(spec.negative_recall) : 0.0F,
      .mask_logprob = spec.mask_logprob,
      .scale = spec.reduction == Reduction::mean ? 1.0F / rows : 1.0F,
  };
}

bool usable(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y) {
  return z.dim() == 2 && plain_floats(z) && plain_floats(k) && plain_floats(y);
}

kernels::Rewarded rewarded(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y) {
  return {z.data_ptr<float>(), k.data_ptr<float>(), y.data_ptr<float>(), z.size(0), z.size(1)};
}

PolicyObjective objective(const at::Tensor& z, const kernels::ObjectiveSums& sums, const at::Tensor& gradient) {
  const auto rows = static_cast<double>(z.size(0));
  return {with_gradient(z, sums.loss, gradient), at::scalar_tensor(sums.local / rows, gradient.options()),
          at::scalar_tensor(sums.global / rows, gradient.options())};
}

}  // namespace

std::optional<PolicyObjective> exact_linear(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                            const at::Tensor& mask, double w, const RewardSpec& spec) {
  if (!usable(z, k, y) || !plain_floats(mask) || mask.sizes() != z.sizes()) return {};
  const auto reward = linear_reward(spec, w, z, y);
  if (!reward) return {};
  const auto gradient = at::empty(z.sizes(), at::kFloat);
  const auto sums =
      kernels::exact_linear(rewarded(z, k, y), mask.data_ptr<float>(), *reward, gradient.data_ptr<float>());
  return objective(z, sums, gradient);
}

std::optional<PolicyObjective> reinforce_linear(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                                const Draws& draws, std::int64_t samples, double w,
                                                const RewardSpec& spec) {
  if (!usable(z, k, y)) return {};
  const auto reward = linear_reward(spec, w, z, y);
  if (!reward) return {};
  const auto mask = mask_probability(y, spec);
  const auto pi = at::sigmoid(z.detach());  // the same bits as for the tensors of samples: the same actions
  const auto mask_keys = draws.keys("mask");
  const auto action_keys = draws.keys("actions");
  const auto gradient = at::empty(z.sizes(), at::kFloat);
  const auto sums =
      kernels::reinforce_linear(rewarded(z, k, y), pi.data_ptr<float>(), mask.data_ptr<float>(),
                                {mask_keys.data(), action_keys.data(), samples}, *reward, gradient.data_ptr<float>());
  return objective(z, sums, gradient);
}

}  // namespace mlpac
