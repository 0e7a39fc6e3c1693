// Rewards, policy loss and label enhancement of the official relation-extraction code.
#include "golden_case.h"
#include "mlpac/decision.h"
#include "mlpac/enhancement.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// Column 0 is the threshold class; at most `cap` labels per pair.
Decision decision_of(const GoldenCase& test) {
  return {.threshold_class = true, .cap = test.params().value("num_labels_cap", std::int64_t{4})};
}

/// Annotations without the column of the threshold class.
at::Tensor annotations(const GoldenCase& test) { return test.input_float("labels").slice(1, 1); }

/// The official codes mark "no label" in column 0.
at::Tensor with_none_column(const at::Tensor& labels) {
  const auto none = labels.any(1, true).logical_not();
  return at::cat({none, labels}, 1);
}

}  // namespace

void docre_reward(GoldenCase& test) {
  const auto y = annotations(test);
  const auto actions = test.input_float("actions");
  const auto k = critic_value(decision_of(test).log_odds(test.input_float("critic_logits")), y);
  RewardSpec spec;
  spec.normalisation = Normalisation::docre_count;
  test.expect("local_reward", local_rewards(actions, k, at::ones_like(k), spec));
  for (const std::string name : {"recall", "precision", "f1"}) {
    spec.global = parse_global_reward(name);
    test.expect("global_" + name, global_reward(actions, y, spec));
  }
}

void docre_policy(GoldenCase& test) {
  const auto& params = test.params();
  RewardSpec spec;
  spec.normalisation = Normalisation::docre_count;
  spec.global = params.at("add_recall").get<bool>() ? parse_global_reward(params.at("reward_type").get<std::string>())
                                                    : GlobalReward::none;
  spec.local = params.at("add_value").get<bool>();
  spec.rho = params.at("sample_rate");
  spec.reduction = Reduction::sum;
  const double w = params.at("rl_weight");
  const auto decision = decision_of(test);
  const auto y = annotations(test);
  const auto logits = test.input_float("policy_logits").clone().requires_grad_();
  const auto k = critic_value(decision.log_odds(test.input_float("critic_logits")), y);
  const auto mask = sample_mask(y, test.input_float("mask_draw"), spec);
  const auto objective =
      reinforce_objective(decision.log_odds(logits), k, y, test.input_float("actions"), mask, w, spec);
  objective.loss.backward();
  test.expect("loss", objective.loss);
  test.expect("grad_policy_logits", logits.grad());
  test.expect("rel_pred", with_none_column(decision.decide(logits.detach())));
  // The official code reports sums over pairs, averaged over the samples.
  const auto rows = static_cast<double>(y.size(0));
  test.expect("value_reward", objective.local * rows);
  test.expect("recall_reward", objective.global * rows);
  test.expect("reward", (objective.local + w * objective.global) * rows);
}

void docre_enhance(GoldenCase& test) {
  const EnhancementSpec spec{.gamma_policy = test.params().at("gamma")};
  const auto enhanced =
      enhance(test.input_float("policy_logits"), test.input_float("critic_logits"), decision_of(test), spec);
  const auto none =
      at::zeros({enhanced.size(0), 1}, enhanced.options());  // the stored labels never carry the threshold class
  test.expect("arg_labels", at::cat({none, enhanced}, 1));
  test.expect("critic_target", with_none_column(enhanced | (annotations(test) > 0)));
}

}  // namespace mlpac::golden
