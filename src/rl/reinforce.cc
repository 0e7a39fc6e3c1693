// REINFORCE: -1/T sum_t R(a_t) sum_c m_c log pi_c(a_t,c), for all T samples at once.
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac {

PolicyObjective reinforce_objective(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                    const at::Tensor& actions, const at::Tensor& mask, double w,
                                    const RewardSpec& spec) {
  // log pi_c(a) = a z - softplus(z), so the sum over samples needs only two coefficients per class, and the graph that
  // carries the gradient is as small as for one sample.
  at::Tensor with_a;
  at::Tensor without_a;
  PolicyObjective result;
  {
    const at::NoGradGuard no_grad;
    const auto global = global_reward(actions, y, spec);
    auto reward = w * global;
    if (spec.local) {
      const auto local = local_rewards(actions, k, mask, spec).sum(-1);
      reward = reward + local;
      result.local = local.mean();
    } else {
      result.local = at::zeros({}, z.options());
    }
    result.global = global.mean();
    reward = reward.unsqueeze(-1) / static_cast<double>(actions.size(0));
    const auto weight = spec.mask_logprob ? reward * mask : reward.expand_as(actions);
    with_a = (weight * actions).sum(0);
    without_a = weight.sum(0);
  }
  const auto log_prob = (with_a * z - without_a * at::softplus(z)).sum(-1);
  result.loss = spec.reduction == Reduction::mean ? -log_prob.mean() : -log_prob.sum();
  return result;
}

PolicyObjective with_greedy(const PolicyObjective& objective, double share, const at::Tensor& z, const at::Tensor& k,
                            const at::Tensor& y, const at::Tensor& mask, double w, const RewardSpec& spec) {
  const auto actions = (z.detach() > 0).to(z.dtype()).unsqueeze(0);
  const auto greedy = reinforce_objective(z, k, y, actions, mask.unsqueeze(0), w, spec);
  return {(1 - share) * objective.loss + share * greedy.loss, objective.local, objective.global};
}

}  // namespace mlpac
