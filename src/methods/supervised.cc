#include "methods/supervised.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "methods/candidates.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// The number after `prefix` in a value such as "multiple:10"; UsageError if there is none.
double number_after(std::string_view text, std::string_view prefix, std::string_view option, double high) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= high)) {
    throw UsageError(fmt::format("--{}: expected a number from 0 to {} in '{}'", option, high, text));
  }
  return value;
}

/// The one that the options name or, with --weight auto, several: factors of two around what the paper's rules come to.
std::vector<LossSpec> trial_specs(const LossEntry& loss, const MethodContext& context) {
  const auto given = loss_spec(context.options);
  const bool weighted = loss.name == "pos-weight" || loss.name == "neg-weight";
  if (context.options.text("weight") != "auto" || !weighted) return {given};
  const double rate = std::max(1e-9, mean_positives(context) / static_cast<double>(context.annotated.classes()));
  std::vector<LossSpec> specs;
  const auto count = context.options.integer("candidates");
  for (std::int64_t i = 0; i < count; ++i) {
    auto spec = given;
    const double factor = std::ldexp(1.0, static_cast<int>(i - count / 2));
    if (loss.needs_draws) {
      spec.sampling = NegativeSampling::multiple;
      spec.negatives = 10 * factor;
    } else {
      spec.positive_weight = PositiveWeight::fixed;
      spec.weight = (1 - rate) / rate * factor;
    }
    specs.push_back(spec);
  }
  return specs;
}

}  // namespace

LossSpec loss_spec(const Options& options) {
  LossSpec spec;
  const auto& weight = options.text("positive-weight");
  if (weight == "share") {
    spec.positive_weight = PositiveWeight::share;
  } else if (weight != "ratio") {
    spec.positive_weight = PositiveWeight::fixed;
    spec.weight = number_after(weight, "", "positive-weight", 1e12);
  }
  spec.weight_cap = options.number("weight-cap");
  const std::string_view negatives = options.text("negatives");
  if (negatives.starts_with("multiple:")) {
    spec.negatives = number_after(negatives, "multiple:", "negatives", 1e12);
  } else if (negatives.starts_with("rate:")) {
    spec.sampling = NegativeSampling::rate;
    spec.negatives = number_after(negatives, "rate:", "negatives", 1);
  } else {
    throw UsageError(fmt::format("--negatives: expected multiple:K or rate:P, got '{}'", negatives));
  }
  return spec;
}

at::Tensor supervised_loss(const LossEntry& loss, const LossSpec& spec, const at::Tensor& z, const at::Tensor& target,
                           const Draws& draws, std::string_view stream) {
  LossInput input;
  input.z = z;
  input.y = target;
  if (loss.needs_sums) input.sums = batch_sums(target);
  if (loss.needs_draws) input.draws = draws.uniform(stream, target.size(1));
  return loss.loss(input, spec);
}

Supervised::Supervised(const MethodEntry& entry, const MethodContext& context)
    : decision_(context.decision),
      phase_{std::string(context.stage.name), context.options.integer(context.stage.epochs),
             context.options.integer(context.stage.patience)},
      loss_(find_loss(entry.loss)) {
  for (const auto& spec : trial_specs(loss_, context)) {
    const auto name = trials_.empty() ? "network" : fmt::format("network{}", trials_.size());
    trials_.push_back({make_learner(name, context, context.stage.lr), spec});
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
  const auto z = decision_.log_odds(learner.network->forward(batch)).to(at::kFloat);
  auto loss = supervised_loss(loss_, trial->spec, z, target(batch), batch.draws, "negatives");
  log.add("loss", loss);
  return loss;
}

void Supervised::end_epoch(const EpochContext& context) {
  for (const std::size_t i : hopeless(context.scores, context.clock)) trials_[i].alive = false;
}

std::optional<double> Supervised::weight(std::int64_t candidate, const Clock& /*clock*/) const {
  if (trials_.size() == 1) return {};
  const auto& spec = trials_.at(static_cast<std::size_t>(candidate)).spec;
  return loss_.needs_draws ? spec.negatives : spec.weight;
}

Settings Supervised::settings(std::span<const std::int64_t> candidates) const {
  if (trials_.size() == 1) return {};
  const auto& spec = trials_.at(static_cast<std::size_t>(candidates.front())).spec;
  if (loss_.needs_draws) return {{"weight", "rule"}, {"negatives", fmt::format("multiple:{}", spec.negatives)}};
  return {{"weight", "rule"}, {"positive-weight", fmt::format("{}", spec.weight)}};
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
