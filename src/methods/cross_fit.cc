#include "methods/cross_fit.h"

#include <fmt/format.h>

namespace mlpac {

namespace {

std::string part_name(std::size_t fold) { return fmt::format("fold{}/", fold); }

}  // namespace

CrossFit::CrossFit(const MethodEntry& entry, const MethodContext& context,
                   std::span<const std::vector<std::int64_t>> fold_rows)
    : entry_(entry), context_(context), options_(context.options) {
  for (const auto& rows : fold_rows) {
    auto part = context_;
    part.train_rows = rows;
    part.folds = fold_rows.size();
    folds_.push_back(entry.create(entry, part));
  }
  phases_ = folds_.front()->phases();
  for (std::size_t i = 0; i < phases_.size(); ++i) plans_.push_back(folds_.front()->batch_plan(i));
}

std::vector<Phase> CrossFit::phases() const {
  auto result = phases_;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    result.push_back(phases_[i]);
    result.back().name = "final-" + phases_[i].name;
    result.back().repeats = i;
  }
  return result;
}

Clock CrossFit::inner(Clock clock) const {
  if (repeating(clock.phase)) clock.phase -= phases_.size();
  return clock;
}

void CrossFit::create_final(const Settings& settings) {
  chosen_ = settings;
  for (const auto& [name, value] : chosen_) options_.set(name, value);
  const MethodContext context{options_,         context_.architecture, context_.decision, context_.annotated,
                              context_.truth,   context_.train_rows,   context_.device,   context_.seed,
                              context_.initial, context_.pretrained,   context_.stage,    context_.prior,
                              context_.trained};
  final_ = entry_.create(entry_, context);
}

void CrossFit::begin_phase(std::size_t phase, const Selected& selected) {
  if (phase == phases_.size()) {
    weight_ = folds_.front()->weight(selected.candidates.back(), {});
    create_final(folds_.front()->settings(selected.candidates));
    folds_.clear();  // their memory is not needed any more
    final_->begin_phase(0, {});
  } else if (repeating(phase)) {
    final_->begin_phase(phase - phases_.size(), {selected.weights, {}});
  } else {
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const bool first = selected.weights.empty();
      folds_[f]->begin_phase(phase, {selected.weights.subspan(first ? 0 : f, first ? 0 : 1), selected.candidates});
    }
  }
}

std::vector<std::vector<Learner*>> CrossFit::active(const Clock& clock) {
  if (repeating(clock.phase)) return final_->active(inner(clock));
  std::vector<std::vector<Learner*>> groups;
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    const auto own = folds_[f]->active(clock);
    if (groups.size() < own.size()) groups.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (auto* learner : own[i]) {
        learner->fold = f;
        groups[i].push_back(learner);
      }
    }
  }
  return groups;
}

at::Tensor CrossFit::objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) {
  if (repeating(clock.phase)) return final_->objective(learner, batch, inner(clock), log);
  return folds_[learner.fold]->objective(learner, batch, clock, log);
}

std::vector<Candidate> CrossFit::candidates(std::size_t phase) {
  if (repeating(phase)) return final_->candidates(phase - phases_.size());
  std::vector<Candidate> result;
  for (auto& fold : folds_) {
    const auto own = fold->candidates(phase);
    result.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) result[i].insert(result[i].end(), own[i].begin(), own[i].end());
  }
  return result;
}

void CrossFit::end_epoch(const EpochContext& context) {
  const Clock clock = inner(context.clock);
  EpochContext part{clock,       context.scores, context.best_of, context.sweep_of, context.score_of,
                    context.log, context.group};
  if (repeating(context.clock.phase)) return final_->end_epoch(part);
  nlohmann::json unused;
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    part.fold = f;
    part.log = f == 0 ? context.log : &unused;  // one fold speaks for all
    folds_[f]->end_epoch(part);
  }
}

BatchPlan CrossFit::batch_plan(std::size_t phase) const {
  // Every fold composes its batches alike, and so does the last training.
  return plans_[repeating(phase) ? phase - phases_.size() : phase];
}

std::optional<double> CrossFit::weight(std::int64_t candidate, const Clock& clock) const {
  if (!final_) return folds_.front()->weight(candidate, clock);
  const auto own = final_->weight(0, inner(clock));  // none where it has nothing to choose any more
  return own ? own : weight_;
}

void CrossFit::save(State& state) const {
  state.values["chosen"] = final_ ? nlohmann::json(chosen_) : nlohmann::json();
  state.values["weight"] = weight_ ? nlohmann::json(*weight_) : nlohmann::json();
  if (final_) final_->save(state);
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    State part;
    folds_[f]->save(part);
    for (const auto& [name, tensor] : part.tensors) state.tensors[part_name(f) + name] = tensor;
    state.values[part_name(f)] = part.values;
  }
}

void CrossFit::load(const State& state) {
  if (const auto& chosen = state.values.at("chosen"); !chosen.is_null()) {
    if (const auto& weight = state.values.at("weight"); !weight.is_null()) weight_ = weight.get<double>();
    create_final(chosen.get<Settings>());
    folds_.clear();
    return final_->load(state);
  }
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    folds_[f]->load({state.tensors_under(part_name(f)), state.values.at(part_name(f))});
  }
}

}  // namespace mlpac
