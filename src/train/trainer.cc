#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/log.h"
#include "core/signals.h"
#include "mlpac/error.h"
#include "mlpac/prior.h"
#include "nn/committee.h"

namespace mlpac {

namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

std::string mix_name(const Mix& mix) {
  std::string name;
  const auto add = [&](bool taken, std::string_view part) {
    if (taken) name.append(name.empty() ? "" : "+").append(part);
  };
  add(mix.selected, "policy");
  add(mix.initial, "pretrained");
  add(mix.companion, "critic");
  return name;
}

Trainer::Trainer(Method& method, const Problem& problem, const TrainerSpec& spec, RunFolder* folder)
    : method_(method),
      problem_(problem),
      spec_(spec),
      folder_(folder),
      group_(*spec.sweep.group),
      phases_(method.phases()),
      workers_(static_cast<std::size_t>(spec.workers)),
      selector_(spec.rule, spec.rule == SelectionRule::last ? 1 : spec.smooth) {
  for (const auto& split : problem_.folds) {
    if (split.train.empty()) throw Error("there are no rows to train on; lower --validation");
    if (split.validation.empty() && spec_.rule != SelectionRule::last && spec_.rule != SelectionRule::oracle) {
      throw Error("there are no rows to select on; raise --validation or use --selection last");
    }
  }
  std::size_t members = 1;
  for (const auto& phase : phases_) members = std::max(members, phase.members);
  everything_.assign(members, {items_of(problem_.folds.front()), {}});
  if (problem_.test) test_items_ = all_items(*problem_.test);
}

std::span<const Split> Trainer::splits(std::size_t phase) const {
  return phases_[phase].repeats ? std::span<const Split>(everything_) : problem_.folds;
}

std::uint64_t Trainer::seed_of(std::size_t split) const {
  return phases_[clock_.phase].repeats ? member_seed(spec_.seed, split) : spec_.seed;
}

bool Trainer::last_choice() const { return clock_.phase + 1 == phases_.size() || phases_[clock_.phase + 1].repeats; }

std::int64_t Trainer::steps_of(std::size_t phase) const {
  std::size_t items = 0;
  for (const auto& split : splits(phase)) items = std::max(items, split.train.size());
  return BatchOrder::steps(items, method_.batch_plan(phase), spec_.batch);
}

std::int64_t Trainer::epochs_of(std::size_t phase) const {
  const auto& repeats = phases_[phase].repeats;
  return repeats && *repeats < chosen_.size() ? chosen_[*repeats].epochs : phases_[phase].epochs;
}

Outcome Trainer::run(bool resume) {
  start_ = SteadyClock::now();
  saved_ = start_;
  const bool saved = resume && folder_ != nullptr && std::filesystem::exists(folder_->checkpoint());
  if (group_.from_first(std::string(saved ? "saved" : "")) == "saved") {
    restore();
  } else {
    if (folder_ != nullptr) folder_->truncate_metrics(0);
    enter_phase(0);
  }
  if (folder_ != nullptr) events_ = std::make_unique<EventLog>(folder_->events(), folder_->metrics(), seconds_before_);
  double total = 0;
  for (std::size_t i = 0; i < phases_.size(); ++i) total += static_cast<double>(phases_[i].epochs * steps_of(i));
  progress_ = std::make_unique<Progress>(spec_.title, total, progress_steps(), spec_.log_seconds);
  for (;;) {
    while (!phase_done()) {
      if (!train_epoch()) {
        checkpoint();
        progress_.reset();
        Outcome stopped;
        stopped.signal = signal_;
        return stopped;
      }
      end_epoch();
      begin_wishes();
      if (wishes().checkpoint) checkpoint();
    }
    if (!phases_[clock_.phase].repeats) {
      chosen_.push_back(selector_.best());
      score_ = selector_.best_score();
      if (last_choice()) choose_mix();
      if (spec_.class_curves && last_choice()) class_curves_ = curves_of_classes(mix_);
    }
    if (clock_.phase + 1 == phases_.size()) break;
    enter_phase(clock_.phase + 1);
  }
  progress_.reset();
  Outcome outcome;
  std::vector<Weights> members;
  for (std::size_t m = 0; m < best_.size(); ++m) {
    for (const auto& weights : mixed(m, mix_)) members.push_back(weights);
  }
  outcome.weights = members.size() > 1 ? committee_weights(members) : members.front();
  outcome.members = members.size();
  outcome.mix = mix_;
  outcome.rate = rate_;
  outcome.phase = phases_[clock_.phase].name;
  outcome.epoch = chosen_.back().epochs;
  outcome.score = score_;
  outcome.curve = curve_;
  outcome.prior = spec_.rule == SelectionRule::middle_f1 ? middle_prior(curve_, selector_.prior()) : selector_.prior();
  outcome.class_curves = class_curves_;
  outcome.w = best_w_;
  outcome.seconds = elapsed();
  return outcome;
}

void Trainer::enter_phase(std::size_t phase) {
  const bool first = phase == 0 || phases_[phase].repeats == std::size_t{0};
  std::vector<std::int64_t> candidates;
  for (const auto& choice : chosen_) candidates.push_back(choice.candidate);
  method_.begin_phase(phase, {first ? std::span<const Weights>() : best_, candidates});
  clock_.phase = phase;
  clock_.epoch = 0;
  clock_.epochs = phases_[phase].epochs;
  clock_.steps_per_epoch = steps_of(phase);
  selector_.reset();
  waits_ = 0;
  const bool wanted = phases_[phase].mix != MixWith::nothing && (!phases_[phase].repeats || mix_.initial);
  initial_ = first || !wanted ? std::vector<Weights>() : best_;
  if (first) {
    best_.assign(splits(phase).size(), {});
    best_w_.reset();
  } else if (phases_[phase].may_keep && !phases_[phase].repeats) {  // best_ and its curve are what it begins with
    Tally initial;
    const auto candidate = method_.candidates(phase).front();
    for (std::size_t fold = 0; fold < candidate.size(); ++fold) {
      const std::array<Network*, 1> networks{&candidate[fold]->predictor()};
      initial.add(tally(fold, networks).front());
    }
    selector_.begin_with(evidence_of(initial));
    best_w_.reset();
  }
}

bool Trainer::phase_done() const {
  const auto& phase = phases_[clock_.phase];
  const bool patient = phase.patience == 0 || phase.repeats;
  return clock_.epoch >= epochs_of(clock_.phase) || (!patient && waits_ >= phase.patience);
}

bool Trainer::train_epoch() {
  std::vector<BatchOrder> orders;
  const auto plan = method_.batch_plan(clock_.phase);
  for (const auto& split : splits(clock_.phase)) {
    orders.emplace_back(split.train, plan.positives > 0 ? annotated_of(split.train) : std::vector<std::int64_t>(), plan,
                        spec_.batch, seed_of(orders.size()), clock_.global_epoch, problem_.train->costs(),
                        spec_.shuffle_block);
  }
  const auto folds = static_cast<std::int64_t>(orders.size());
  BatchList list;
  list.first = clock_.step * folds * spec_.parts;
  list.end = clock_.steps_per_epoch * folds * spec_.parts;
  list.items = [&](std::int64_t number) {
    const auto fold = static_cast<std::size_t>(number / spec_.parts % folds);
    return part_of(orders[fold], number / spec_.parts / folds, number % spec_.parts).own.items;
  };
  list.training = EpochKey{spec_.seed, static_cast<std::uint64_t>(clock_.global_epoch)};
  BatchStream stream(*problem_.train, list, spec_.sweep.device, spec_.sweep.loaders);
  const double waited = data_wait_.value_or(0);
  const auto groups = method_.active(clock_);
  while (clock_.step < clock_.steps_per_epoch) {
    begin_wishes();
    const auto batches = next_batches(orders, stream);
    for (const auto& group : groups) step(group, batches);
    ++clock_.step;
    if (problem_.train->source(true) != nullptr) data_wait_ = waited + stream.waited();
    report_progress();
    const auto wished = wishes();
    signal_ = wished.signal;
    if (signal_ != 0) return false;
    if (wished.checkpoint) checkpoint();
  }
  return true;
}

void Trainer::end_epoch() {
  nlohmann::json line{{"phase", phases_[clock_.phase].name}, {"epoch", clock_.epoch + 1}};
  log_.combine(group_);
  const auto means = log_.means();
  for (const auto& [name, value] : means.items()) {
    if (!std::isfinite(value.get<double>())) {
      throw Error(fmt::format("training diverged: {} is not finite in epoch {}; lower --lr or set --clip", name,
                              clock_.epoch + 1));
    }
    line[name] = value;
  }
  const auto groups = method_.active(clock_);
  if (!groups.empty() && !groups.back().empty()) line["lr_factor"] = groups.back().back()->rate(clock_).factor;
  const auto scores = score_candidates(line);
  const EpochContext context{clock_,
                             scores,
                             best_,
                             [this](std::size_t fold, std::span<Network* const> networks, const Visit& visit) {
                               const auto& items = splits(clock_.phase)[fold].train;
                               sweep(*problem_.train, items, &problem_.annotated, networks, spec_.sweep, visit);
                             },
                             [this](std::size_t fold, Network& network) {
                               if (phases_[clock_.phase].repeats) return 0.0;
                               const std::array<Network*, 1> networks{&network};
                               const auto evidence = evidence_of(tally(fold, networks).front());
                               return selection_score(spec_.rule, evidence, clock_.epoch, selector_.prior());
                             },
                             &line,
                             group_};
  method_.end_epoch(context);
  if (data_wait_) line["data_wait"] = std::round(1000 * *data_wait_) / 1000;
  data_wait_.reset();
  if (!group_.alone()) {
    const auto traffic = group_.traffic();
    line["exchange"] = {{"wait", std::round(1000 * (traffic.waited - traffic_.waited)) / 1000},
                        {"seconds", std::round(1000 * (traffic.under_way - traffic_.under_way)) / 1000},
                        {"bytes", traffic.bytes - traffic_.bytes}};
    traffic_ = traffic;
  }
  line["seconds"] = std::round(1000 * elapsed()) / 1000;
  if (folder_ != nullptr) {
    append_line(folder_->metrics(), line.dump());
    events_->append(line);
  }
  note_ = fmt::format("{} epoch {}", phases_[clock_.phase].name, clock_.epoch + 1);
  for (const std::string name : {"loss", "critic_loss", "policy_loss", "score"}) {
    if (line.contains(name)) note_ += fmt::format(", {} {:.4g}", name, line[name].get<double>());
  }
  log_.clear();
  clock_.step = 0;
  ++clock_.epoch;
  ++clock_.global_epoch;
}

double Trainer::progress_steps() const {
  double steps = 0;  // phases that ended early count as done
  for (std::size_t i = 0; i < clock_.phase; ++i) steps += static_cast<double>(phases_[i].epochs * steps_of(i));
  return steps + static_cast<double>(clock_.phase_step());
}

void Trainer::report_progress() { progress_->update(progress_steps(), note_); }

double Trainer::elapsed() const { return seconds_before_ + seconds_since(start_); }

}  // namespace mlpac
