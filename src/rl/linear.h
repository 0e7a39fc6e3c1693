// Rewards that are linear in the actions, on the CPU: both estimators as one loop that leaves value and gradient,
// instead of a dozen small tensor operations. What they compute is defined by exact.cc and reinforce.cc.
#pragma once

#include <optional>

#include "mlpac/rewards.h"
#include "nn/draws.h"

namespace mlpac {

/// exact_objective of linear rewards; nothing if the reward is of another kind or the tensors live elsewhere.
std::optional<PolicyObjective> exact_linear(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                            const at::Tensor& mask, double w, const RewardSpec& spec);

/// REINFORCE with T samples of the streams "mask" and "actions": reinforce_objective for the same draws, without
/// tensors of T times the batch.
std::optional<PolicyObjective> reinforce_linear(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                                const Draws& draws, std::int64_t samples, double w,
                                                const RewardSpec& spec);

}  // namespace mlpac
