// Learners and step logs: the parts every method shares.
#include <fmt/format.h>

#include <cmath>

#include "core/random.h"
#include "distributed/group.h"
#include "methods/method.h"
#include "mlpac/error.h"

namespace mlpac {

void StepLog::add(const std::string& name, const at::Tensor& value) {
  auto& [sum, count] = sums_[name];
  sum = sum.defined() ? sum.to(value.device()) + value.detach() : value.detach().clone();
  ++count;
}

void StepLog::add(const StepLog& other, double share) {
  for (const auto& [name, entry] : other.sums_) {
    auto& [sum, count] = sums_[name];
    const auto value = share == 1 ? entry.first : entry.first * share;
    sum = sum.defined() ? sum.to(value.device()) + value : value;
    count += share * entry.second;
  }
}

void StepLog::combine(const Group& group) {
  if (group.alone() || sums_.empty()) return;
  const auto totals = at::zeros({2, static_cast<std::int64_t>(sums_.size())}, at::kDouble);
  std::int64_t column = 0;
  for (const auto& [name, entry] : sums_) {
    totals[0][column] = entry.first.item<double>();
    totals[1][column++] = entry.second;
  }
  group.sum(totals);
  column = 0;
  for (auto& [name, entry] : sums_) {
    entry.first = totals[0][column].to(entry.first.options());
    entry.second = totals[1][column++].item<double>();
  }
}

void StepLog::zero() {
  for (auto& [name, entry] : sums_) entry = {at::zeros_like(entry.first), 0};
}

nlohmann::json StepLog::means() const {
  nlohmann::json result = nlohmann::json::object();
  for (const auto& [name, entry] : sums_) {
    result[name] = entry.first.item<double>() / entry.second;
  }
  return result;
}

void StepLog::save(State& state, const std::string& prefix) const {
  for (const auto& [name, entry] : sums_) {
    state.tensors[prefix + name] = entry.first;
    state.values[prefix + name] = entry.second;
  }
}

void StepLog::load(const State& state, const std::string& prefix) {
  sums_.clear();
  for (const auto& [name, sum] : state.tensors_under(prefix)) {
    sums_[name] = {sum, state.values.at(prefix + name).get<double>()};
  }
}

Learner make_learner(const std::string& name, const MethodContext& context, std::string_view lr_option,
                     const std::vector<NamedParameter>& more, Network* lender) {
  const auto& options = context.options;
  Learner learner;
  learner.name = name;
  learner.network = create_network(context.architecture);
  learner.network->stream = name;
  learner.network->initialise(context.seed);
  if (!context.pretrained.empty()) {
    const at::NoGradGuard no_grad;
    auto own = named_tensors(*learner.network);
    for (const auto& [key, value] : context.pretrained) own.at(key).copy_(value);
  }
  if (!context.initial.empty()) load_tensors(*learner.network, context.initial, "--init");
  learner.network->to(context.device);
  if (lender != nullptr && !learner.network->borrow_body(*lender)) {
    throw UsageError(fmt::format("--share-encoder: the network {} has no encoder; it is for documents",
                                 context.architecture.value("network", std::string())));
  }
  if (options.number("ema") > 0) {
    learner.average = create_network(context.architecture);
    learner.average->to(context.device);
    load_tensors(*learner.average, named_tensors(*learner.network), name);
  }
  OptimizerSpec spec;
  spec.lr = options.number(lr_option);
  spec.beta1 = options.number("beta1");
  spec.beta2 = options.number("beta2");
  spec.eps = options.number("eps");
  spec.weight_decay = options.number("weight-decay");
  spec.decoupled = options.text("optimizer") == "adamw";
  spec.decay_matrices_only = options.flag("decay-matrices-only");
  spec.clip = options.number("clip");
  spec.eps_before_correction = options.flag("eps-early");
  std::vector<NamedParameter> parameters;
  const auto body = learner.network->body();
  const double scale = options.number("encoder-lr-scale");
  for (const auto& item : learner.network->named_parameters()) {
    const bool in_body = !body.empty() && item.key().starts_with(body);
    if (in_body && lender != nullptr) continue;
    parameters.push_back({item.key(), item.value(), in_body ? scale : 1});
  }
  parameters.insert(parameters.end(), more.begin(), more.end());
  learner.optimizer = std::make_unique<Adam>(std::move(parameters), spec);
  learner.schedule = parse_schedule(options.text("schedule"));
  learner.warmup = options.number("warmup");
  return learner;
}

Rate Learner::rate(const Clock& clock) const {
  const std::int64_t total = clock.epochs * clock.steps_per_epoch;
  Schedule plan;
  plan.kind = schedule;
  plan.warmup = std::llround(warmup * static_cast<double>(total));
  if (plan.kind == ScheduleKind::one_cycle && warmup > 0) plan.peak = warmup;
  plan.restart_step = restart_epoch * clock.steps_per_epoch;
  plan.restart_total = total - plan.restart_step;
  if (plan.kind == ScheduleKind::linear_restart && restart_epoch == 0) plan.kind = ScheduleKind::linear;
  return rate_at(plan, clock.phase_step(), total);
}

void Learner::save(State& state) const {
  const std::string prefix = name + '.';
  for (const auto& [key, tensor] : named_tensors(*network)) state.tensors[prefix + "network." + key] = tensor;
  if (average) {
    for (const auto& [key, tensor] : named_tensors(*average)) state.tensors[prefix + "average." + key] = tensor;
  }
  optimizer->save(state, prefix + "adam.");
}

void Learner::load(const State& state) {
  const std::string prefix = name + '.';
  load_tensors(*network, state.tensors_under(prefix + "network."), "checkpoint");
  if (average) load_tensors(*average, state.tensors_under(prefix + "average."), "checkpoint");
  optimizer->load(state, prefix + "adam.");
}

at::Tensor with_auxiliary(const at::Tensor& loss, const Supervision& supervision, const at::Tensor& target,
                          StepLog& log) {
  if (!supervision.auxiliary) return loss;
  const auto more = supervision.auxiliary(target);
  log.add("auxiliary_loss", more);
  return loss + more;
}

std::uint64_t member_seed(std::uint64_t seed, std::size_t member) {
  return member == 0 ? seed : stream_key(seed, fmt::format("member{}", member));
}

void set_weights(Learner& learner, const Weights& weights) {
  load_tensors(*learner.network, weights, learner.name);
  if (learner.average) load_tensors(*learner.average, weights, learner.name);
}

Weights copy_weights(const Network& network) {
  auto weights = named_tensors(network);
  for (auto& [name, tensor] : weights) tensor = tensor.detach().clone();
  return weights;
}

}  // namespace mlpac
