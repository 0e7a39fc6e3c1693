// Supervised learning with a loss of the table: negative mode, positive weighting, negative sampling, the upper bound.
#pragma once

#include "methods/method.h"
#include "mlpac/losses.h"

namespace mlpac {

class Supervised : public Method {
 public:
  Supervised(const MethodEntry& entry, const MethodContext& context);

  std::vector<Phase> phases() const override { return {phase_}; }
  void begin_phase(std::size_t /*phase*/, const Selected& /*selected*/) override {}
  std::vector<std::vector<Learner*>> active(const Clock& clock) override;
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override;
  std::vector<Candidate> candidates(std::size_t phase) override;
  void end_epoch(const EpochContext& context) override;
  BatchPlan batch_plan(std::size_t /*phase*/) const override { return plan_; }
  std::optional<double> weight(std::int64_t candidate, const Clock& clock) const override;
  Settings settings(std::span<const std::int64_t> candidates) const override;
  void save(State& state) const override;
  void load(const State& state) override;

 protected:
  /// The labels the loss sees; self-training adds its own. `z`: log-odds of the network that learns.
  virtual at::Tensor target(const Batch& batch, const at::Tensor& /*z*/) { return batch.y; }

  /// A network trained with one loss. There is one, or with --weight auto several side by side.
  struct Trial {
    Learner learner;
    LossTrial loss;
    bool alive = true;
  };

  Decision decision_;
  std::vector<Trial> trials_;

 private:
  Phase phase_;
  const LossEntry& loss_;
  BatchPlan plan_;
  std::int64_t reach_;
};

/// What losses are told of the training rows.
class LossFacts {
 public:
  explicit LossFacts(const MethodContext& context);
  /// Valid as long as this object and the context's options are.
  LossContext context() const { return {options_, rows_, positives_, negatives_, prior_}; }

 private:
  const Options& options_;
  std::int64_t rows_;
  std::vector<std::int64_t> positives_;
  std::vector<std::int64_t> negatives_;
  std::span<const double> prior_;
};

/// Fills in what `entry` declares to need and evaluates the loss of a batch with these labels.
at::Tensor evaluate_loss(const LossEntry& entry, const Loss& loss, const at::Tensor& z, const at::Tensor& target,
                         const Batch& batch);
/// How --composition wants the batches of a loss; UsageError if it makes no sense.
BatchPlan parse_composition(const Options& options, const LossEntry& loss);

std::unique_ptr<Method> create_supervised(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_csl_method(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_self_training(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_mlpac(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_role(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_p3m(const MethodEntry& entry, const MethodContext& context);

}  // namespace mlpac
