// The rewards of MLPAC and the two estimators of the policy gradient. Pure functions of tensors: policy log-odds z,
// critic log-odds, label states y, mask, draws. They know nothing of networks, tasks or epochs.
//
// Symbols: an action a_c is 1 (TRUE) or 0 (FALSE), pi_c = sigmoid(z_c), P = classes annotated positive (y = +1),
// k_c = clamp(critic z_c, -1, 1), m_c = 1 where class c takes part in the local reward (action sampling).
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <string_view>

#include "mlpac/choice.h"

namespace mlpac {

/// How the per-class local rewards r_c(a_c) = (2 a_c - 1) k_c are combined into one number per instance.
enum class Normalisation {
  paper_mean,   ///< 1/|C| * sum_c m_c r_c: the formula of the paper
  docre_count,  ///< official DocRE code: TRUE actions count fully, FALSE ones are divided by their number
  image_means,  ///< official image code: mean over TRUE actions + mean over the kept FALSE actions
  none,         ///< sum_c m_c r_c
};

/// The reward of the whole instance, from the annotations alone; enhanced labels never enter it.
enum class GlobalReward {
  recall,                ///< share of P that is TRUE; 0 without annotations
  precision,             ///< share of the TRUE actions that is in P; 0 if nothing is TRUE (ablation)
  f1,                    ///< their harmonic mean (ablation)
  recall_plus_negative,  ///< recall + 0.2 * share of the classes outside P that is FALSE (official image code)
  none,
  batch_recall,  ///< share of the annotated entries of the whole batch that is TRUE; a row is given its part of it
};

enum class Reduction { mean, sum };

struct RewardSpec {
  Normalisation normalisation = Normalisation::paper_mean;
  GlobalReward global = GlobalReward::recall;
  bool local = true;
  std::int64_t entries = 0;               ///< that paper_mean is the mean over; 0: the classes
  double rho = 0.4;                       ///< action sampling: probability that an unknown class takes part
  bool mask_logprob = true;               ///< classes outside the mask receive no gradient (official DocRE code)
  double negative_recall = 0.2;           ///< weight of the second term of recall_plus_negative
  Reduction reduction = Reduction::mean;  ///< over instances
};

std::span<const NamedChoice> normalisations();
std::span<const NamedChoice> global_rewards();
Normalisation parse_normalisation(std::string_view name);
GlobalReward parse_global_reward(std::string_view name);

/// The number of terms that paper_mean divides by.
double mean_over(const RewardSpec& spec, std::int64_t classes);

/// k_c of every class; a known negative is worth -1 whatever the critic says. No gradient.
at::Tensor critic_value(const at::Tensor& critic_z, const at::Tensor& y);

/// Probability with which each class takes part in the local reward: 1 where the label is known, rho elsewhere
/// (image_means: rho everywhere, as in the official image code).
at::Tensor mask_probability(const at::Tensor& y, const RewardSpec& spec);
/// A sampled mask: 1 where draws <= mask_probability. `draws` may have leading sample dimensions.
at::Tensor sample_mask(const at::Tensor& y, const at::Tensor& draws, const RewardSpec& spec);

/// Per-class local rewards [..., rows, classes] for given actions, normalised but not yet summed.
at::Tensor local_rewards(const at::Tensor& actions, const at::Tensor& k, const at::Tensor& mask,
                         const RewardSpec& spec);
/// Global reward [..., rows] for given actions.
at::Tensor global_reward(const at::Tensor& actions, const at::Tensor& y, const RewardSpec& spec);
/// Total reward R = sum_c local + w * global, [..., rows], each part switched by the spec.
at::Tensor total_reward(const at::Tensor& actions, const at::Tensor& k, const at::Tensor& y, const at::Tensor& mask,
                        double w, const RewardSpec& spec);

/// What a policy step minimises, and means over instances for the log (no gradient, not yet on the host).
struct PolicyObjective {
  at::Tensor loss;
  at::Tensor local;
  at::Tensor global;
};

/// The exact expectation over actions, and over masks when `mask` holds probabilities: no sampling, one pass.
/// Linear rewards in closed form, count-normalised ones by Gauss-Legendre quadrature.
PolicyObjective exact_objective(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y, const at::Tensor& mask,
                                double w, const RewardSpec& spec);

/// REINFORCE with the T given actions [T, rows, classes] and masks [T, rows, classes] (or one mask for all).
PolicyObjective reinforce_objective(const at::Tensor& z, const at::Tensor& k, const at::Tensor& y,
                                    const at::Tensor& actions, const at::Tensor& mask, double w,
                                    const RewardSpec& spec);

/// Rewards an action also for being uncertain: weight * sum_c H(pi_c), normalised as local rewards are (the mean over
/// classes, or their sum). Without it a policy's best decision is certain, whatever little speaks for it, and the order
/// of what it decides alike is lost; with it the best log-odds of rewards that are linear in the actions are what TRUE
/// earns more than FALSE, over the weight. The decision itself does not change.
PolicyObjective with_entropy(const PolicyObjective& objective, double weight, const at::Tensor& z,
                             const RewardSpec& spec);

/// The official image code's extra term: REINFORCE with the thresholded action; mixed in as
/// (1 - share) * sampled + share * greedy.
PolicyObjective with_greedy(const PolicyObjective& objective, double share, const at::Tensor& z, const at::Tensor& k,
                            const at::Tensor& y, const at::Tensor& mask, double w, const RewardSpec& spec);

}  // namespace mlpac
