// Supervised and policy losses of the official image code.
#include "golden_case.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "losses/pos_weight.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// Their encoding is 1 positive, 0 negative, -1 un-annotated. These losses treat the last two alike, so both are
/// unknown to us (a known negative would be trusted more than they do).
at::Tensor annotations(const GoldenCase& test) { return (test.input("targets") > 0).to(at::kFloat); }

}  // namespace

void image_loss(GoldenCase& test) {
  const std::string mode = test.params().at("running_mode");
  const auto z = test.input_float("logits").clone().requires_grad_();
  const auto y = annotations(test);
  // Without recorded draws no entry was dropped; a draw of 0 is dropped by any sampling that should not have happened.
  const auto draws = test.has_input("draw") ? test.input_float("draw") : at::zeros_like(y);
  const LossInput input{z, y, batch_sums(y), draws};
  at::Tensor loss;
  if (mode == "posWeight") {
    loss = pos_weight(input, {.rule = PositiveWeight::share, .reduction = Reduction::sum});
  } else if (mode == "negSampl") {
    loss = neg_weight(input, {.sampling = NegativeSampling::rate, .negatives = 0.2, .reduction = Reduction::sum});
  } else {
    test.require(mode == "not_both", "unknown running_mode " + mode);
    loss = bce(input, {.reduction = Reduction::sum});
  }
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_logits", z.grad());
}

namespace {

/// What one policy term is made of; [samples, rows] each.
struct ImageRewards {
  at::Tensor positive, negative, global;
};

struct ImageCase {
  at::Tensor z, k, y;
  RewardSpec spec;
  double w = 0;
  bool released = false;  ///< the released default, in which the global reward cancels
};

ImageCase make_case(const GoldenCase& test) {
  const std::string mode = test.params().at("ablation_mode");
  ImageCase c;
  c.z = test.input_float("policy_logits").clone().requires_grad_();
  c.y = annotations(test);
  c.k = critic_value(test.input_float("critic_logits"), c.y);
  c.w = test.params().at("r_w_passed");
  c.spec.normalisation = Normalisation::image_means;
  c.spec.mask_logprob = false;
  c.spec.global = GlobalReward::recall_plus_negative;
  if (mode == "F1") c.spec.global = GlobalReward::f1;
  if (mode == "Precision") c.spec.global = GlobalReward::precision;
  if (mode == "p_reward") c.spec.local = false;
  c.released = mode != "p_reward" && mode != "r_reward";
  return c;
}

ImageRewards rewards(const ImageCase& c, const at::Tensor& actions, const at::Tensor& mask) {
  const auto local = local_rewards(actions, c.k, mask, c.spec);
  return {(local * actions).sum(-1), (local * (1 - actions)).sum(-1), global_reward(actions, c.y, c.spec)};
}

/// log pi(a) of every sample and row.
at::Tensor log_probability(const at::Tensor& z, const at::Tensor& actions) {
  return (actions * z - at::softplus(z)).sum(-1);
}

/// Mean over samples and rows of -log pi(a) R. Where the released total is the one the library offers (no local, or no
/// global reward), the library computes it; the self-cancelling one exists only here.
at::Tensor policy_term(const ImageCase& c, const std::string& mode, const at::Tensor& actions, const at::Tensor& mask) {
  if (c.released) {
    const auto r = rewards(c, actions, mask);
    const auto local = r.positive + r.negative;
    const auto total = local + 5 * (local / (r.global + 1e-9)) * r.global;
    return -(log_probability(c.z, actions) * total).mean();
  }
  auto spec = c.spec;
  if (mode == "r_reward") spec.global = GlobalReward::none;
  return reinforce_objective(c.z, c.k, c.y, actions, mask, c.w, spec).loss;
}

}  // namespace

void image_policy(GoldenCase& test) {
  const std::string mode = test.params().at("ablation_mode");
  const auto c = make_case(test);
  const bool full = test.has_input("sampled_actions");
  const auto kept = 1 - test.input_float("neg_drop");
  // A complete loss mixes the thresholded action (first mask) with T samples; the other cases are one term.
  const auto actions = full ? test.input_float("sampled_actions") : test.input_float("actions").unsqueeze(0);
  const auto mask = full ? kept.slice(0, 1) : kept.unsqueeze(0);
  auto loss = policy_term(c, mode, actions, mask);
  if (full && c.released) {
    const auto greedy = (c.z.detach() > 0).to(at::kFloat).unsqueeze(0);
    loss = 0.1 * policy_term(c, mode, greedy, kept.slice(0, 0, 1)) + 0.9 * loss;
  } else if (full) {
    auto spec = c.spec;
    if (mode == "r_reward") spec.global = GlobalReward::none;
    loss = with_greedy({loss, {}, {}}, 0.1, c.z, c.k, c.y, kept[0], c.w, spec).loss;
  }
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_policy_logits", c.z.grad());
  const auto r = rewards(c, actions, mask);
  test.expect("mean_R_global", r.global.mean());
  test.expect("mean_R_local", (r.positive + r.negative).mean());
  test.expect("mean_R_local_pos", r.positive.mean());
  test.expect("mean_R_local_neg", r.negative.mean());
  test.expect("mean_neg_log_prob", -log_probability(c.z, actions).mean());
  test.expect("targets_after_call", c.y);  // their call merges -1 into 0 in place; ours reads both as unknown
}

}  // namespace mlpac::golden
