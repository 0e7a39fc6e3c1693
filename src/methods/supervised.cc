#include "methods/supervised.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "methods/candidates.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"

namespace mlpac {

LossFacts::LossFacts(const MethodContext& context)
    : options_(context.options),
      rows_(static_cast<std::int64_t>(context.train_rows.size())),
      positives_(static_cast<std::size_t>(context.annotated.classes()), 0),
      negatives_(positives_),
      prior_(context.prior) {
  for (const std::int64_t row : context.train_rows) {
    for (const auto& entry : context.annotated.row(row)) {
      ++(entry.state == kAnnotated ? positives_ : negatives_)[static_cast<std::size_t>(entry.column)];
    }
  }
}

at::Tensor evaluate_loss(const LossEntry& entry, const Loss& loss, const at::Tensor& z, const at::Tensor& target,
                         const Batch& batch) {
  LossInput input;
  input.z = z;
  input.y = target;
  if (entry.needs_sums) input.sums = batch_sums(target);
  if (entry.needs_draws) input.draws = batch.draws.uniform("negatives", target.size(1));
  input.drawn_positives = batch.drawn_positives;
  return loss(input);
}

BatchPlan parse_composition(const Options& options, const LossEntry& loss) {
  const std::string_view text = options.text("composition");
  if (text == "joint") return {};
  const auto wrong = [&](std::string_view expected) {
    return UsageError(fmt::format("--composition: expected {}, got '{}'", expected, text));
  };
  const auto count = [&](std::string_view part) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || stop != part.data() + part.size() || value < 1 || value > 10'000'000) {
      throw wrong("joint or two numbers P:U such as 10:500");
    }
    return value;
  };
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) throw wrong("joint or two numbers P:U such as 10:500");
  const auto unlabelled = text.substr(colon + 1);
  const BatchPlan plan{count(text.substr(0, colon)), unlabelled == "batch" ? 0 : count(unlabelled)};
  if (!loss.separate) throw wrong(fmt::format("joint for the loss {}", loss.name));
  return plan;
}

namespace {

/// Multiples of the rule's weight that are compared. A weight that is too large for the many steps that much data means
/// costs order among the scores, so that pre-training compares smaller ones where annotations suffice to tell. From few
/// rows policies learn little that pre-training did not know, so that as many weights are compared there as of w.
std::vector<double> weight_factors(const MethodContext& context) {
  constexpr std::int64_t kFewRows = 200;
  const auto& options = context.options;
  const bool pretraining = context.stage.name == Stage::kPretrain;
  const auto given = options.integer("pretrain-candidates");
  const bool few = pretraining && given == 0 && context.annotated.rows() <= kFewRows;
  std::vector<double> factors;
  if (options.text("weight") == "auto" || few) {
    const auto count = options.integer("candidates");
    for (std::int64_t i = 0; i < count; ++i) factors.push_back(std::ldexp(1.0, static_cast<int>(i - count / 2)));
  } else if (pretraining) {
    const std::int64_t usual = slice_suffices(context.annotated, options.number("validation")) ? 3 : 1;
    for (std::int64_t left = given > 0 ? given : usual; left-- > 0;) factors.push_back(std::pow(0.25, left));
  }
  return factors;
}

}  // namespace

Supervised::Supervised(const MethodEntry& entry, const MethodContext& context)
    : decision_(context.decision),
      phase_{std::string(context.stage.name), context.options.integer(context.stage.epochs),
             context.options.integer(context.stage.patience)},
      loss_(find_loss(entry.loss)),
      plan_(parse_composition(context.options, loss_)),
      reach_(reach_of_weights(context.options)) {
  if (loss_.needs_prior && context.prior.size() != static_cast<std::size_t>(context.annotated.classes())) {
    throw UsageError(fmt::format("the loss {} needs --prior for every class", loss_.name));
  }
  const LossFacts facts(context);
  std::vector<LossTrial> losses;
  const auto factors = weight_factors(context);
  if (loss_.trials != nullptr && factors.size() > 1) {
    losses = loss_.trials(facts.context(), factors);
  } else {
    losses.push_back({loss_.create(facts.context()), 0, {}});
  }
  for (auto& loss : losses) {
    const auto name = trials_.empty() ? "network" : fmt::format("network{}", trials_.size());
    trials_.push_back({make_learner(name, context, context.stage.lr), std::move(loss)});
    if (trials_.size() > 1) set_weights(trials_.back().learner, copy_weights(*trials_.front().learner.network));
  }
}

std::vector<std::vector<Learner*>> Supervised::active(const Clock& /*clock*/) {
  std::vector<Learner*> learners;
  for (auto& trial : trials_) {
    if (trial.alive) learners.push_back(&trial.learner);
  }
  return {learners};
}

std::vector<Candidate> Supervised::candidates(std::size_t /*phase*/) {
  std::vector<Candidate> result;
  for (auto& trial : trials_) result.push_back(trial.alive ? Candidate{&trial.learner} : Candidate{});
  return result;
}

at::Tensor Supervised::objective(Learner& learner, const Batch& batch, const Clock& /*clock*/, StepLog& log) {
  const auto trial =
      std::find_if(trials_.begin(), trials_.end(), [&](const Trial& other) { return &other.learner == &learner; });
  const auto supervision = learner.network->supervise(batch);
  const auto z = decision_.log_odds(supervision.logits).to(at::kFloat);
  const auto labels = target(batch, z);
  auto loss = with_auxiliary(evaluate_loss(loss_, trial->loss.loss, z, labels, batch), supervision, labels, log);
  log.add("loss", loss);
  return loss;
}

void Supervised::end_epoch(const EpochContext& context) {
  for (const std::size_t i : hopeless(context.scores, context.clock, reach_)) trials_[i].alive = false;
}

std::optional<double> Supervised::weight(std::int64_t candidate, const Clock& /*clock*/) const {
  if (trials_.size() == 1) return {};
  return trials_.at(static_cast<std::size_t>(candidate)).loss.weight;
}

Settings Supervised::settings(std::span<const std::int64_t> candidates) const {
  if (trials_.size() == 1) return {};
  return trials_.at(static_cast<std::size_t>(candidates.front())).loss.settings;
}

void Supervised::save(State& state) const {
  auto& alive = state.values["alive"] = nlohmann::json::array();
  for (const auto& trial : trials_) {
    trial.learner.save(state);
    alive.push_back(trial.alive);
  }
}

void Supervised::load(const State& state) {
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    trials_[i].learner.load(state);
    trials_[i].alive = state.values.at("alive").at(i).get<bool>();
  }
}

std::unique_ptr<Method> create_supervised(const MethodEntry& entry, const MethodContext& context) {
  return std::make_unique<Supervised>(entry, context);
}

}  // namespace mlpac
