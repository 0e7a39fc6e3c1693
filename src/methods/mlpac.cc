#include "methods/mlpac.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.h"
#include "core/number_in.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "methods/candidates.h"
#include "mlpac/error.h"
#include "rl/linear.h"

namespace mlpac {

namespace {

RewardSpec reward_spec(const Options& options) {
  RewardSpec spec;
  spec.normalisation = parse_normalisation(options.text("normalisation"));
  spec.global = parse_global_reward(options.text("global"));
  spec.local = options.flag("local");
  spec.entries = options.integer("label-entries") == 2 ? 2 : 0;
  spec.rho = options.number("rho");
  spec.mask_logprob = options.flag("mask-logprob");
  spec.negative_recall = options.number("negative-recall");
  spec.reduction = options.text("reduction") == "sum" ? Reduction::sum : Reduction::mean;
  return spec;
}

MixWith parse_mix(const std::string& text) {
  return text == "all" ? MixWith::all : text == "pretrained" ? MixWith::initial : MixWith::nothing;
}

std::unique_ptr<Method> make_pretrainer(MethodContext context) {
  const auto& name = context.options.text("pretrain");
  if (name == "none" || context.trained || context.options.integer("pretrain-epochs") == 0) return nullptr;
  const auto& entry = find_method(name);
  if (entry.loss.empty() || entry.labels == TrainingLabels::complete) {
    throw UsageError(fmt::format("--pretrain: '{}' is not a supervised method on partial labels", name));
  }
  context.stage = {Stage::kPretrain, "pretrain-epochs", "pretrain-patience", "pretrain-lr"};
  return entry.create(entry, context);
}

}  // namespace

Mlpac::Mlpac(const MethodContext& context)
    : phase_{"mlpac", context.options.integer("epochs"), context.options.integer("patience"),
             context.options.number("settle")},
      decision_(context.decision),
      reward_(reward_spec(context.options)),
      plan_(parse_weight(context.options.text("w"))),
      exact_(context.options.text("estimator") == "exact"),
      sampled_mask_(context.options.text("mask") == "sampled"),
      samples_(context.options.integer("samples")),
      reach_(reach_of_w(context)),
      greedy_(context.options.number("greedy-weight")),
      entropy_(context.options.number("entropy")),
      critic_epochs_(context.options.integer("critic-epochs")),
      critic_patience_(context.options.integer("critic-patience")),
      critic_rate_(context.options.number("critic-negative-rate")),
      critic_form_(loss_form(context.options)),
      gamma_{context.options.number("gamma-policy"), context.options.number("gamma-critic")},
      cumulative_(context.options.flag("cumulative")),
      truth_(context.truth),
      keep_(context.options.flag("keep-pretrained")),
      // A threshold that is given means probabilities of the policy; those of the pre-trained model are weighted up.
      mix_(number_in(context.options.text("threshold")) ? MixWith::nothing : parse_mix(context.options.text("mix"))),
      shared_(context.options.flag("share-encoder")),
      pretrainer_(make_pretrainer(context)),
      pretrain_phases_(pretrainer_ ? pretrainer_->phases().size() : 0),
      critic_(make_learner("critic", context, "critic-lr")),
      enhanced_(context.annotated.rows()) {
  const auto& enhance = context.options.text("enhance");
  enhance_ = enhance == "off"             ? Enhance::off
             : enhance == "batch-teacher" ? Enhance::batch_teacher
                                          : Enhance::epoch_policy;
  std::vector<double> weights{0};
  if (plan_.kind == WeightPlan::Kind::automatic && reward_.global != GlobalReward::none) {
    const double unit = weight_unit(reward_, mean_positives(context), context.annotated.classes());
    weights = weight_candidates(plan_, unit, context.options.integer("candidates"));
  } else if (plan_.kind == WeightPlan::Kind::automatic) {
    plan_ = {WeightPlan::Kind::constant, {0}};  // without a global reward there is nothing to weigh
  }
  auto* const lender = shared_ ? critic_.network.get() : nullptr;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    policies_.push_back({make_learner(fmt::format("policy{}", i), context, "lr", {}, lender), weights[i]});
    policies_.back().learner.restart_epoch = std::min(critic_epochs_, phase_.epochs);
  }
  if (enhance_ == Enhance::batch_teacher) {
    teacher_ = create_network(context.architecture);
    teacher_->to(context.device);
    teacher_->eval();
    load_tensors(*teacher_, named_tensors(*critic_.network), "teacher");
  }
}

std::vector<Phase> Mlpac::phases() const {
  std::vector<Phase> phases;
  if (pretrainer_) phases = pretrainer_->phases();
  phases.push_back(phase_);
  phases.back().may_keep = keep_;
  phases.back().mix = mix_;
  return phases;
}

void Mlpac::begin_phase(std::size_t phase, const Selected& selected) {
  if (pretraining(phase)) return pretrainer_->begin_phase(phase, selected);
  if (selected.weights.empty()) return;  // no pre-training: random or given weights, the same in both networks
  const auto& weights = selected.weights.front();
  set_weights(critic_, weights);
  for (auto& policy : policies_) set_weights(policy.learner, weights);
  if (teacher_) load_tensors(*teacher_, weights, "teacher");
}

bool Mlpac::critic_learns(const Clock& clock) const { return clock.epoch < critic_epochs_ && !frozen_; }

std::vector<std::vector<Learner*>> Mlpac::active(const Clock& clock) {
  if (pretraining(clock.phase)) return pretrainer_->active(clock);
  // The critic's step comes first: the policies are rewarded by what it has just learned.
  std::vector<std::vector<Learner*>> groups{{}};
  if (critic_learns(clock)) groups.front().push_back(&critic_);
  groups.emplace_back();
  for (auto& policy : policies_) {
    if (!policy.alive) continue;
    if (shared_ && !groups.back().empty()) groups.emplace_back();  // one encoder is not used by several at a time
    groups.back().push_back(&policy.learner);
  }
  return groups;
}

std::vector<Candidate> Mlpac::candidates(std::size_t phase) {
  if (pretraining(phase)) return pretrainer_->candidates(phase);
  std::vector<Candidate> result;
  for (auto& policy : policies_) result.push_back(policy.alive ? Candidate{&policy.learner} : Candidate{});
  return result;
}

at::Tensor Mlpac::objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) {
  if (pretraining(clock.phase)) return pretrainer_->objective(learner, batch, clock, log);
  if (&learner == &critic_) return critic_objective(batch, log);
  const auto policy = std::find_if(policies_.begin(), policies_.end(),
                                   [&](const Policy& candidate) { return &candidate.learner == &learner; });
  return policy_objective(*policy, batch, clock, log);
}

at::Tensor Mlpac::critic_objective(const Batch& batch, StepLog& log) {
  const auto supervision = critic_.network->supervise(batch);
  const auto& logits = supervision.logits;
  at::Tensor target = enhanced_.target(batch);
  if (teacher_) {
    const at::NoGradGuard no_grad;
    const auto proposed = enhance(teacher_->forward(batch), logits.detach(), decision_, gamma_);
    target = at::where(proposed & (batch.y == 0), at::ones_like(batch.y), batch.y);
  }
  LossInput input;
  input.z = decision_.log_odds(logits).to(at::kFloat);
  input.y = target;
  at::Tensor result;
  if (critic_rate_ < 1) {
    input.sums = batch_sums(target);
    input.draws = batch.draws.uniform("critic-negatives", target.size(1));
    NegWeightSpec spec{NegativeSampling::every, critic_rate_};
    spec.form = critic_form_;
    result = neg_weight(input, spec);
  } else {
    result = bce(input, {.form = critic_form_});
  }
  result = with_auxiliary(result, supervision, target, log);
  log.add("critic_loss", result);
  return result;
}

at::Tensor Mlpac::policy_objective(Policy& policy, const Batch& batch, const Clock& clock, StepLog& log) {
  const auto value = critic_value_of(batch, clock);
  const double w = plan_.kind == WeightPlan::Kind::automatic ? policy.w : weight_at(plan_, clock.epoch, clock.epochs);
  const auto z = decision_.log_odds(policy.learner.network->forward(batch)).to(at::kFloat);
  auto objective = estimate(z, value, batch, w);
  if (entropy_ > 0) objective = with_entropy(objective, entropy_, z, reward_);
  // A sum over the rows of a step does not become smaller because they are computed in parts.
  if (reward_.reduction == Reduction::sum && batch.share > 0) objective.loss = objective.loss / batch.share;
  log.add("policy_loss", objective.loss);
  log.add("local_reward", objective.local);
  log.add("global_reward", objective.global);
  return objective.loss;
}

at::Tensor Mlpac::critic_value_of(const Batch& batch, const Clock& clock) {
  const std::lock_guard lock(value_mutex_);
  const std::int64_t now = clock.global_epoch * clock.steps_per_epoch + clock.step;
  if (value_step_ != now || value_rows_ != batch.rows) {  // once per batch, after the critic's own step
    const at::NoGradGuard no_grad;
    critic_.network->eval();
    value_ = critic_value(decision_.log_odds(critic_.network->forward(batch)).to(at::kFloat), batch.y);
    critic_.network->train();
    value_step_ = now;
    value_rows_ = batch.rows;
  }
  return value_;
}

PolicyObjective Mlpac::estimate(const at::Tensor& z, const at::Tensor& k, const Batch& batch, double w) const {
  const auto& y = batch.y;
  const auto classes = y.size(1);
  PolicyObjective objective;
  if (exact_) {
    const auto mask =
        sampled_mask_ ? sample_mask(y, batch.draws.uniform("mask", classes), reward_) : mask_probability(y, reward_);
    objective = exact_objective(z, k, y, mask, w, reward_);
  } else if (auto fast = reinforce_linear(z, k, y, batch.draws, samples_, w, reward_)) {
    objective = *fast;
  } else {
    const auto mask = sample_mask(y, batch.draws.uniform("mask", samples_, classes), reward_);
    const auto draws = batch.draws.uniform("actions", samples_, classes);
    objective = reinforce_objective(z, k, y, (draws < at::sigmoid(z.detach())).to(z.dtype()), mask, w, reward_);
  }
  if (greedy_ <= 0) return objective;
  const auto mask = sample_mask(y, batch.draws.uniform("greedy-mask", classes), reward_);
  return with_greedy(objective, greedy_, z, k, y, mask, w, reward_);
}

void Mlpac::end_epoch(const EpochContext& context) {
  if (pretraining(context.clock.phase)) return pretrainer_->end_epoch(context);
  const bool learning = critic_learns(context.clock);
  if (learning && enhance_ == Enhance::epoch_policy) {
    enhance_from(policies_[leader(context.scores)].learner.predictor(), context);
  }
  if (teacher_ && !context.best().empty()) load_tensors(*teacher_, context.best(), "teacher");
  if (learning && critic_patience_ > 0) watch_critic(context);
  for (const std::size_t i : hopeless(context.scores, context.clock, reach_)) policies_[i].alive = false;
}

void Mlpac::enhance_from(Network& policy, const EpochContext& context) {
  const std::array<Network*, 2> networks{&policy, critic_.network.get()};
  context.sweep(networks, [&](const Batch& batch, std::span<const at::Tensor> logits) {
    enhanced_.propose(batch, enhance(logits[0], logits[1], decision_, gamma_), cumulative_);
  });
  enhanced_.combine(context.group);
  (*context.log)["enhanced"] = enhanced_.count();
  if (truth_ != nullptr) (*context.log)["enhanced_precision"] = enhanced_.precision(*truth_);
}

void Mlpac::watch_critic(const EpochContext& context) {
  const double score = context.score(*critic_.network);
  if (score > best_critic_score_) {
    best_critic_score_ = score;
    critic_waits_ = 0;
  } else if (++critic_waits_ >= critic_patience_) {
    frozen_ = true;
  }
  (*context.log)["critic_score"] = score;
}

BatchPlan Mlpac::batch_plan(std::size_t phase) const {
  return pretraining(phase) ? pretrainer_->batch_plan(phase) : BatchPlan{};
}

std::optional<double> Mlpac::weight(std::int64_t candidate, const Clock& clock) const {
  if (plan_.kind != WeightPlan::Kind::automatic) return weight_at(plan_, clock.epoch, clock.epochs);
  return policies_.at(static_cast<std::size_t>(candidate)).w;
}

Settings Mlpac::settings(std::span<const std::int64_t> candidates) const {
  auto result = pretrainer_ ? pretrainer_->settings(candidates.first(pretrain_phases_)) : Settings();
  result.emplace_back("pretrain-candidates", "1");
  if (plan_.kind == WeightPlan::Kind::automatic) {
    result.emplace_back("w", fmt::format("{}", policies_.at(static_cast<std::size_t>(candidates.back())).w));
  }
  return result;
}

void Mlpac::save(State& state) const {
  if (pretrainer_) pretrainer_->save(state);
  critic_.save(state);
  std::vector<bool> alive;
  for (const auto& policy : policies_) {
    policy.learner.save(state);
    alive.push_back(policy.alive);
  }
  enhanced_.save(state, "enhanced");
  if (teacher_) {
    for (const auto& [name, tensor] : named_tensors(*teacher_)) state.tensors["teacher." + name] = tensor;
  }
  state.values["mlpac"] = {
      {"alive", alive}, {"critic_score", best_critic_score_}, {"critic_waits", critic_waits_}, {"frozen", frozen_}};
}

void Mlpac::load(const State& state) {
  if (pretrainer_) pretrainer_->load(state);
  critic_.load(state);
  const auto& values = state.values.at("mlpac");
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    policies_[i].learner.load(state);
    policies_[i].alive = values.at("alive").at(i).get<bool>();
  }
  enhanced_.load(state, "enhanced");
  if (teacher_) load_tensors(*teacher_, state.tensors_under("teacher."), "checkpoint");
  best_critic_score_ = values.at("critic_score").get<double>();
  critic_waits_ = values.at("critic_waits").get<std::int64_t>();
  frozen_ = values.at("frozen").get<bool>();
}

std::unique_ptr<Method> create_mlpac(const MethodEntry& /*entry*/, const MethodContext& context) {
  return std::make_unique<Mlpac>(context);
}

}  // namespace mlpac
