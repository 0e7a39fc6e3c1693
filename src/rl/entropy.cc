// The entropy of the policy's decisions, as part of what it is rewarded for (maximum-entropy reinforcement learning).
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac {

PolicyObjective with_entropy(const PolicyObjective& objective, double weight, const at::Tensor& z,
                             const RewardSpec& spec) {
  const auto entropy = (at::softplus(z) - z * at::sigmoid(z)).sum(-1);
  const double terms = spec.normalisation == Normalisation::none ? 1 : mean_over(spec, z.size(-1));
  const auto rows = spec.reduction == Reduction::sum ? entropy.sum() : entropy.mean();
  return {objective.loss - weight / terms * rows, objective.local, objective.global};
}

}  // namespace mlpac
