#include "methods/cross_fit.h"

#include <fmt/format.h>

#include "nn/committee.h"

namespace mlpac {

namespace {

std::string part_name(std::size_t part) { return fmt::format("part{}/", part); }

}  // namespace

CrossFit::CrossFit(const MethodEntry& entry, const MethodContext& context,
                   std::span<const std::vector<std::int64_t>> fold_rows)
    : entry_(entry),
      context_(context),
      members_(static_cast<std::size_t>(context.options.integer("members"))),
      options_(context.options) {
  for (const auto& rows : fold_rows) {
    auto part = context_;
    part.train_rows = rows;
    part.folds = fold_rows.size();
    parts_.push_back(entry.create(entry, part));
  }
  phases_ = parts_.front()->phases();
  for (std::size_t i = 0; i < phases_.size(); ++i) plans_.push_back(parts_.front()->batch_plan(i));
}

std::vector<Phase> CrossFit::phases() const {
  auto result = phases_;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    result.push_back(phases_[i]);
    result.back().name = "final-" + phases_[i].name;
    result.back().repeats = i;
    result.back().members = members_;
  }
  return result;
}

Clock CrossFit::inner(Clock clock) const {
  clock.phase = inner(clock.phase);
  return clock;
}

void CrossFit::create_final(const Settings& settings) {
  chosen_ = settings;
  for (const auto& [name, value] : chosen_) options_.set(name, value);
  parts_.clear();  // the memory of the folds is not needed any more
  for (std::size_t m = 0; m < members_; ++m) {
    const MethodContext context{
        options_,         context_.architecture, context_.decision, context_.annotated,
        context_.truth,   context_.train_rows,   context_.device,   member_seed(context_.seed, m),
        context_.initial, context_.pretrained,   context_.stage,    context_.prior,
        context_.trained};
    parts_.push_back(entry_.create(entry_, context));
  }
  final_ = true;
}

void CrossFit::begin_phase(std::size_t phase, const Selected& selected) {
  if (phase == phases_.size()) {
    weight_ = parts_.front()->weight(selected.candidates.back(), {});
    create_final(parts_.front()->settings(selected.candidates));
  }
  const bool first = selected.weights.empty();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto own = selected.weights.subspan(first ? 0 : i, first ? 0 : 1);
    parts_[i]->begin_phase(inner(phase), {own, final_ ? std::span<const std::int64_t>() : selected.candidates});
  }
}

std::vector<std::vector<Learner*>> CrossFit::active(const Clock& clock) {
  std::vector<std::vector<Learner*>> groups;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto own = parts_[i]->active(inner(clock));
    if (groups.size() < own.size()) groups.resize(own.size());
    for (std::size_t g = 0; g < own.size(); ++g) {
      for (auto* learner : own[g]) {
        learner->fold = i;
        groups[g].push_back(learner);
      }
    }
  }
  return groups;
}

at::Tensor CrossFit::objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) {
  return parts_[learner.fold]->objective(learner, batch, inner(clock), log);
}

std::vector<Candidate> CrossFit::candidates(std::size_t phase) {
  std::vector<Candidate> result;
  for (auto& part : parts_) {
    const auto own = part->candidates(inner(phase));
    result.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) result[i].insert(result[i].end(), own[i].begin(), own[i].end());
  }
  return result;
}

void CrossFit::end_epoch(const EpochContext& context) {
  const Clock clock = inner(context.clock);
  EpochContext own{clock,       context.scores, context.best_of, context.sweep_of, context.score_of,
                   context.log, context.group};
  nlohmann::json unused;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    own.fold = i;
    own.log = i == 0 ? context.log : &unused;  // one part speaks for all
    parts_[i]->end_epoch(own);
  }
}

BatchPlan CrossFit::batch_plan(std::size_t phase) const {
  // Every fold composes its batches alike, and so does the last training.
  return plans_[inner(phase)];
}

std::vector<std::shared_ptr<Network>> CrossFit::companions() {
  std::vector<std::shared_ptr<Network>> result;
  for (auto& part : parts_) {
    for (auto& companion : part->companions()) result.push_back(std::move(companion));
  }
  return result;
}

std::optional<double> CrossFit::weight(std::int64_t candidate, const Clock& clock) const {
  if (!final_) return parts_.front()->weight(candidate, clock);
  const auto own = parts_.front()->weight(0, inner(clock));  // none where it has nothing to choose any more
  return own ? own : weight_;
}

void CrossFit::save(State& state) const {
  state.values["chosen"] = final_ ? nlohmann::json(chosen_) : nlohmann::json();
  state.values["weight"] = weight_ ? nlohmann::json(*weight_) : nlohmann::json();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    State part;
    parts_[i]->save(part);
    for (const auto& [name, tensor] : part.tensors) state.tensors[part_name(i) + name] = tensor;
    state.values[part_name(i)] = part.values;
  }
}

void CrossFit::load(const State& state) {
  if (const auto& chosen = state.values.at("chosen"); !chosen.is_null()) {
    if (const auto& weight = state.values.at("weight"); !weight.is_null()) weight_ = weight.get<double>();
    create_final(chosen.get<Settings>());
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->load({state.tensors_under(part_name(i)), state.values.at(part_name(i))});
  }
}

}  // namespace mlpac
