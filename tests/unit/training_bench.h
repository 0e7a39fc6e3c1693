// A trainer with everything it needs on the tiny problem, and a method that can be told to stop or to fail somewhere.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <limits>
#include <memory>
#include <optional>

#include "core/log.h"  // the trainer holds a Progress
#include "core/signals.h"
#include "methods/cross_fit.h"
#include "nn/committee.h"
#include "tasks/features.h"
#include "tiny_problem.h"
#include "train/trainer.h"

namespace mlpac::tiny {

/// A place in training.
struct Cut {
  std::size_t phase;
  std::int64_t epoch;
  std::int64_t step;
};

/// A method that asks the process to stop when it gets somewhere, or spoils the loss there.
class Tampered : public Method {
 public:
  std::unique_ptr<Method> inner;
  std::optional<Cut> stop;
  std::optional<Cut> spoil;
  std::atomic<std::int64_t> objectives = 0;

  std::vector<Phase> phases() const override { return inner->phases(); }
  void begin_phase(std::size_t phase, const Selected& selected) override { inner->begin_phase(phase, selected); }
  std::vector<std::vector<Learner*>> active(const Clock& clock) override { return inner->active(clock); }
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override {
    ++objectives;
    if (is_at(stop, clock)) {
      stop.reset();
      std::raise(SIGTERM);
    }
    auto loss = inner->objective(learner, batch, clock, log);
    return is_at(spoil, clock) ? loss * std::numeric_limits<double>::quiet_NaN() : loss;
  }
  std::vector<Candidate> candidates(std::size_t phase) override { return inner->candidates(phase); }
  void end_epoch(const EpochContext& context) override { inner->end_epoch(context); }
  BatchPlan batch_plan(std::size_t phase) const override { return inner->batch_plan(phase); }
  std::vector<std::shared_ptr<Network>> companions() override { return inner->companions(); }
  std::optional<double> weight(std::int64_t candidate, const Clock& clock) const override {
    return inner->weight(candidate, clock);
  }
  void save(State& state) const override { inner->save(state); }
  void load(const State& state) override { inner->load(state); }

 private:
  static bool is_at(const std::optional<Cut>& cut, const Clock& clock) {
    return cut && clock.phase == cut->phase && clock.epoch == cut->epoch && clock.step == cut->step;
  }
};

/// Everything a trainer needs, built as the training driver builds it.
class Bench {
 public:
  explicit Bench(const Settings& settings, std::uint64_t data_seed = 0) : options_(options(settings)) {
    if (!options_.has("ratio")) options_.set("ratio", "0.5");
    apply_defaults(options_);
    problem = feature_problem(options_, FeatureTable(data(data_seed)), std::nullopt);
    prepare();
  }
  /// The same on another problem, made from options that have their defaults.
  Bench(Options given, Problem other) : problem(std::move(other)), options_(std::move(given)) { prepare(); }

  /// A new method, as in a new process.
  void restart() {
    MethodContext context{options_, problem.architecture, problem.decision, problem.annotated};
    context.train_rows = rows_.size() > 1 ? all_rows_ : rows_.front();
    context.seed = spec.seed;
    context.prior = problem.prior;
    const auto& entry = find_method(options_.text("method"));
    method = std::make_unique<Tampered>();
    method->inner = rows_.size() > 1 ? std::make_unique<CrossFit>(entry, context, rows_) : entry.create(entry, context);
  }

  Outcome run(const std::filesystem::path* path, bool resume) const {
    std::unique_ptr<RunFolder> folder;
    if (path != nullptr) folder = std::make_unique<RunFolder>(*path);
    return Trainer(*method, problem, spec, folder.get()).run(resume);
  }

  Weights critic() const {
    const auto critics = method->companions();
    return critics.empty() ? Weights{} : copy_weights(*one_network(critics));
  }

  Problem problem;
  TrainerSpec spec;
  std::unique_ptr<Tampered> method;

 private:
  void prepare() {
    for (const auto& split : problem.folds) rows_.push_back(problem.train->label_rows(split.train));
    all_rows_ = all_items(*problem.train);
    spec.batch = options_.integer("batch");
    spec.parts = options_.integer("accumulate");
    spec.ema = options_.number("ema");
    spec.rule = parse_selection(options_.text("selection"));
    spec.smooth = options_.integer("smooth");
    spec.checkpoint_seconds = 1e9;
    spec.log_seconds = 1e9;
    restart();
  }

  Options options_;
  std::vector<std::vector<std::int64_t>> rows_;
  std::vector<std::int64_t> all_rows_;
};

/// What a training leaves that is stopped somewhere and resumed in a new process, with so many threads.
inline Outcome stopped_and_resumed(const Settings& settings, const Cut& cut, std::int64_t workers = 1) {
  const Folder folder;
  Bench bench(settings);
  bench.method->stop = cut;
  {
    const StopSignals signals;
    EXPECT_NE(bench.run(&folder.path(), false).signal, 0);
  }
  bench.restart();
  bench.spec.workers = workers;
  return bench.run(&folder.path(), true);
}

}  // namespace mlpac::tiny
