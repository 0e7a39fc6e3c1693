// Rewards of given actions (algorithm of the paper, equations for r_c, recall and the total reward).
#include "mlpac/rewards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/names.h"
#include "distributed/batch_share.h"
#include "kernels/kernels.h"
#include "nn/known_gradient.h"

namespace mlpac {

namespace {

constexpr std::array<NamedChoice, 4> kNormalisations{{
    {"paper-mean", "mean over all classes of the local rewards (the paper's formula)"},
    {"docre-count", "TRUE actions count fully, FALSE ones are divided by their number (official DocRE code)"},
    {"image-means", "mean over TRUE actions + mean over the kept FALSE actions (official image code)"},
    {"none", "plain sum over the classes"},
}};

constexpr std::array<NamedChoice, 6> kGlobalRewards{{
    {"recall", "share of the annotated positives that is TRUE (the paper's choice)"},
    {"precision", "share of the TRUE actions that is annotated (ablation)"},
    {"f1", "F1 against the annotations (ablation)"},
    {"recall-plus-negative", "recall + 0.2 x share of the other classes that is FALSE (official image code)"},
    {"none", "no global reward (ablation)"},
    {"batch-recall", "share of the annotated entries of the whole batch that is TRUE"},
}};

/// x / count, 0 where count is 0 (counts are whole numbers).
at::Tensor share(const at::Tensor& x, const at::Tensor& count) { return x / count.clamp_min(1); }

}  // namespace

std::span<const NamedChoice> normalisations() { return kNormalisations; }
std::span<const NamedChoice> global_rewards() { return kGlobalRewards; }

Normalisation parse_normalisation(std::string_view name) {
  return static_cast<Normalisation>(index_of(name, kNormalisations, "reward normalisation"));
}
GlobalReward parse_global_reward(std::string_view name) {
  return static_cast<GlobalReward>(index_of(name, kGlobalRewards, "global reward"));
}

double mean_over(const RewardSpec& spec, std::int64_t classes) {
  return static_cast<double>(spec.entries > 0 ? spec.entries : classes);
}

at::Tensor critic_value(const at::Tensor& critic_z, const at::Tensor& y) {
  if (plain_floats(critic_z) && plain_floats(y)) {
    auto k = at::empty(y.sizes(), at::kFloat);
    kernels::critic_value(k.data_ptr<float>(), critic_z.data_ptr<float>(), y.data_ptr<float>(), y.numel());
    return k;
  }
  return critic_z.detach().clamp(-1, 1).masked_fill(y < 0, -1);
}

at::Tensor mask_probability(const at::Tensor& y, const RewardSpec& spec) {
  if (spec.normalisation == Normalisation::image_means) return at::full_like(y, spec.rho);
  if (plain_floats(y)) {
    auto mask = at::empty(y.sizes(), at::kFloat);
    kernels::mask_probability(mask.data_ptr<float>(), y.data_ptr<float>(), y.numel(), static_cast<float>(spec.rho));
    return mask;
  }
  return at::full_like(y, spec.rho).masked_fill_(y != 0, 1);
}

at::Tensor sample_mask(const at::Tensor& y, const at::Tensor& draws, const RewardSpec& spec) {
  return (draws <= mask_probability(y, spec)).to(y.dtype());
}

at::Tensor local_rewards(const at::Tensor& actions, const at::Tensor& k, const at::Tensor& mask,
                         const RewardSpec& spec) {
  const auto positive = actions * k;
  const auto negative = (actions - 1) * k;
  switch (spec.normalisation) {
    case Normalisation::paper_mean:
      return (positive + negative) * mask / mean_over(spec, k.size(-1));
    case Normalisation::none:
      return (positive + negative) * mask;
    case Normalisation::docre_count:  // counted over all classes, before masking
      return (positive + share(negative, (1 - actions).sum(-1, true))) * mask;
    case Normalisation::image_means:  // TRUE actions are never dropped
      return share(positive, actions.sum(-1, true)) + share(negative * mask, ((1 - actions) * mask).sum(-1, true));
  }
  return {};
}

at::Tensor global_reward(const at::Tensor& actions, const at::Tensor& y, const RewardSpec& spec) {
  const auto annotated = (y > 0).to(actions.dtype());
  const auto hits = (actions * annotated).sum(-1);
  const auto count = annotated.sum(-1);
  switch (spec.global) {
    case GlobalReward::recall:
      return share(hits, count);
    case GlobalReward::precision:
      return share(hits, actions.sum(-1));
    case GlobalReward::f1:
      return share(2 * hits, count + actions.sum(-1));
    case GlobalReward::recall_plus_negative: {
      const auto others = 1 - annotated;
      return share(hits, count) + spec.negative_recall * share(((1 - actions) * others).sum(-1), others.sum(-1));
    }
    case GlobalReward::none:
      return at::zeros_like(hits);
    case GlobalReward::batch_recall:  // times the rows, because rewards are averaged over them
      return share(hits * static_cast<double>(rows_of_batch(y.size(0))), over_batch(annotated.sum()));
  }
  return {};
}

at::Tensor total_reward(const at::Tensor& actions, const at::Tensor& k, const at::Tensor& y, const at::Tensor& mask,
                        double w, const RewardSpec& spec) {
  const auto global = w * global_reward(actions, y, spec);
  return spec.local ? local_rewards(actions, k, mask, spec).sum(-1) + global : global;
}

}  // namespace mlpac
