#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/log.h"
#include "core/random.h"
#include "core/signals.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

using SteadyClock = std::chrono::steady_clock;

/// The items in the order of their keyed draws: any process can compute its part of it.
std::vector<std::int64_t> shuffled(std::vector<std::int64_t> items, std::uint64_t seed, std::int64_t epoch) {
  const std::uint64_t stream = stream_key(seed, "shuffle");
  std::vector<std::pair<std::uint64_t, std::int64_t>> keyed;
  keyed.reserve(items.size());
  for (const std::int64_t item : items) {
    keyed.emplace_back(row_key(stream, static_cast<std::uint64_t>(epoch), static_cast<std::uint64_t>(item)), item);
  }
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), items.begin(), [](const auto& pair) { return pair.second; });
  return items;
}

void update_average(const Learner& learner, double decay) {
  const at::NoGradGuard no_grad;
  const auto current = learner.network->parameters();
  auto average = learner.average->parameters();
  for (std::size_t i = 0; i < current.size(); ++i) average[i].mul_(decay).add_(current[i], 1 - decay);
  const auto buffers = learner.network->buffers();
  auto own = learner.average->buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) own[i].copy_(buffers[i]);
}

}  // namespace

Trainer::Trainer(Method& method, const Problem& problem, const TrainerSpec& spec, RunFolder* folder)
    : method_(method),
      problem_(problem),
      spec_(spec),
      folder_(folder),
      phases_(method.phases()),
      selector_(spec.rule == SelectionRule::last ? 1 : spec.smooth) {
  if (problem_.split.train.empty()) throw Error("there are no rows to train on; lower --validation");
  if (problem_.split.validation.empty() && spec_.rule != SelectionRule::last && spec_.rule != SelectionRule::oracle) {
    throw Error("there are no rows to select on; raise --validation or use --selection last");
  }
  if (problem_.test) test_items_ = all_items(*problem_.test);
  const auto items = static_cast<std::int64_t>(problem_.split.train.size());
  clock_.steps_per_epoch = (items + spec_.batch - 1) / spec_.batch;
}

Outcome Trainer::run(bool resume) {
  start_ = SteadyClock::now();
  saved_ = start_;
  if (resume && folder_ != nullptr && std::filesystem::exists(folder_->checkpoint())) {
    restore();
  } else {
    if (folder_ != nullptr) folder_->truncate_metrics(0);
    enter_phase(0);
  }
  if (folder_ != nullptr) events_ = std::make_unique<EventLog>(folder_->events(), folder_->metrics(), seconds_before_);
  double total = 0;
  for (const auto& phase : phases_) total += static_cast<double>(phase.epochs * clock_.steps_per_epoch);
  const double done = static_cast<double>(clock_.global_epoch * clock_.steps_per_epoch + clock_.step);
  progress_ = std::make_unique<Progress>(spec_.title, total, done, spec_.log_seconds);
  for (;;) {
    while (!phase_done()) {
      if (!train_epoch()) {
        checkpoint();
        progress_.reset();
        Outcome stopped;
        stopped.signal = StopSignals::received();
        return stopped;
      }
      end_epoch();
      if (checkpoint_due()) checkpoint();
    }
    if (clock_.phase + 1 == phases_.size()) break;
    enter_phase(clock_.phase + 1);
  }
  progress_.reset();
  Outcome outcome;
  outcome.weights = best_;
  outcome.phase = phases_[clock_.phase].name;
  outcome.epoch = selector_.best().epoch + 1;
  outcome.score = selector_.best().score;
  outcome.w = best_w_;
  outcome.seconds = elapsed();
  return outcome;
}

void Trainer::enter_phase(std::size_t phase) {
  method_.begin_phase(phase, best_);
  clock_.phase = phase;
  clock_.epoch = 0;
  clock_.epochs = phases_[phase].epochs;
  selector_.reset();
  best_.clear();
  waits_ = 0;
}

bool Trainer::phase_done() const {
  const auto& phase = phases_[clock_.phase];
  return clock_.epoch >= phase.epochs || (phase.patience > 0 && waits_ >= phase.patience);
}

bool Trainer::train_epoch() {
  const auto order = shuffled(problem_.split.train, spec_.seed, clock_.global_epoch);
  const auto learners = method_.active(clock_);
  while (clock_.step < clock_.steps_per_epoch) {
    const auto first = static_cast<std::size_t>(clock_.step * spec_.batch);
    const auto items =
        std::span(order).subspan(first, std::min(static_cast<std::size_t>(spec_.batch), order.size() - first));
    Batch batch;
    problem_.train->collate(items, spec_.sweep.device, batch);
    batch.y = dense_labels(problem_.annotated, batch.rows, spec_.sweep.device);
    batch.draws = Draws(spec_.seed, static_cast<std::uint64_t>(clock_.global_epoch), batch.rows, spec_.sweep.device);
    for (auto* learner : learners) step(*learner, batch);
    ++clock_.step;
    report_progress();
    if (StopSignals::received() != 0) return false;
    if (checkpoint_due()) checkpoint();
  }
  return true;
}

void Trainer::step(Learner& learner, const Batch& batch) {
  at::Tensor loss;
  {
    const Autocast autocast(spec_.sweep.bf16, spec_.sweep.device.type());
    loss = method_.objective(learner, batch, clock_, log_);
  }
  loss.backward();
  learner.optimizer->step(learner.rate(clock_));
  if (learner.average) update_average(learner, spec_.ema);
}

std::vector<double> Trainer::scores_of(std::span<Network* const> networks) {
  std::vector<SelectionEvidence> evidence(networks.size());
  const auto& slice = problem_.split.validation;
  const auto against = [&](const Dataset& data, std::span<const std::int64_t> items, const Labels& labels) {
    return count_decisions(data, items, labels, problem_.decision, networks, spec_.sweep);
  };
  if (spec_.rule == SelectionRule::full_dev && problem_.truth) {
    const auto counts = against(*problem_.train, slice, *problem_.truth);
    for (std::size_t i = 0; i < counts.size(); ++i) evidence[i].truth = counts[i];
  } else if (spec_.rule == SelectionRule::oracle && problem_.test && problem_.test_truth) {
    const auto counts = against(*problem_.test, test_items_, *problem_.test_truth);
    for (std::size_t i = 0; i < counts.size(); ++i) evidence[i].test = counts[i];
  } else {
    const auto counts = against(*problem_.train, slice, problem_.annotated);
    for (std::size_t i = 0; i < counts.size(); ++i) evidence[i].annotated = counts[i];
  }
  std::vector<double> scores;
  for (const auto& item : evidence) scores.push_back(selection_score(spec_.rule, item, clock_.epoch));
  return scores;
}

std::vector<double> Trainer::score_candidates(nlohmann::json& line) {
  const auto candidates = method_.candidates(clock_.phase);
  std::vector<Network*> networks;
  for (auto* learner : candidates) {
    if (learner != nullptr) networks.push_back(&learner->predictor());
  }
  const auto raw = scores_of(networks);
  std::vector<double> smoothed(candidates.size(), 0);
  std::size_t next = 0;
  const auto& phase = phases_[clock_.phase];
  const bool settled = static_cast<double>(clock_.epoch + 1) > phase.settle * static_cast<double>(phase.epochs);
  bool improved = !settled;
  double top = -1;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i] == nullptr) continue;
    const double score = raw[next++];
    const auto id = static_cast<std::int64_t>(i);
    smoothed[i] = selector_.observe(id, score);
    const auto w = clock_.phase + 1 == phases_.size() ? method_.weight(id, clock_) : std::nullopt;
    if (smoothed[i] > top) {
      top = smoothed[i];
      line["score"] = score;
      if (w) line["w"] = *w;
    }
    if (candidates.size() > 1) line["candidates"].push_back({{"w", w.value_or(0)}, {"score", score}});
    // A tie goes to the later epoch but is no progress; before the first score above 0 nothing can be said.
    const bool better = selector_.best().score <= 0 || smoothed[i] > selector_.best().score;
    if (settled && selector_.offer(clock_.epoch, id, smoothed[i])) {
      improved = improved || better;
      best_ = copy_weights(candidates[i]->predictor());
      best_w_ = w;
    }
  }
  waits_ = improved ? 0 : waits_ + 1;
  return smoothed;
}

void Trainer::end_epoch() {
  nlohmann::json line{{"phase", phases_[clock_.phase].name}, {"epoch", clock_.epoch + 1}};
  const auto means = log_.means();
  for (const auto& [name, value] : means.items()) {
    if (!std::isfinite(value.get<double>())) {
      throw Error(fmt::format("training diverged: {} is not finite in epoch {}; lower --lr or set --clip", name,
                              clock_.epoch + 1));
    }
    line[name] = value;
  }
  const auto learners = method_.active(clock_);
  if (!learners.empty()) line["lr_factor"] = learners.back()->rate(clock_).factor;
  const auto scores = score_candidates(line);
  const EpochContext context{clock_,
                             scores,
                             best_,
                             [this](std::span<Network* const> networks, const auto& visit) {
                               sweep(*problem_.train, problem_.split.train, &problem_.annotated, networks, spec_.sweep,
                                     visit);
                             },
                             [this](Network& network) {
                               const std::array<Network*, 1> networks{&network};
                               return scores_of(networks)[0];
                             },
                             line};
  method_.end_epoch(context);
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

void Trainer::report_progress() {
  progress_->update(static_cast<double>(clock_.global_epoch * clock_.steps_per_epoch + clock_.step), note_);
}

double Trainer::elapsed() const { return seconds_before_ + seconds_since(start_); }

}  // namespace mlpac
