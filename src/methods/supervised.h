// Supervised learning with a loss of the table: negative mode, positive weighting, negative sampling, the upper bound.
#pragma once

#include "methods/method.h"
#include "mlpac/losses.h"

namespace mlpac {

class Supervised : public Method {
 public:
  Supervised(const MethodEntry& entry, const MethodContext& context);

  std::vector<Phase> phases() const override { return {phase_}; }
  void begin_phase(std::size_t /*phase*/, const std::map<std::string, at::Tensor>& /*selected*/) override {}
  std::vector<Learner*> active(const Clock& /*clock*/) override { return {&learner_}; }
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override;
  std::vector<Learner*> candidates(std::size_t /*phase*/) override { return {&learner_}; }
  void end_epoch(const EpochContext& /*context*/) override {}
  void save(State& state) const override { learner_.save(state); }
  void load(const State& state) override { learner_.load(state); }

 protected:
  /// The labels the loss sees; self-training adds its own.
  virtual at::Tensor target(const Batch& batch) const { return batch.y; }

  Decision decision_;
  Learner learner_;

 private:
  Phase phase_;
  const LossEntry& loss_;
  LossSpec spec_;
};

/// Loss parameters as the options say.
LossSpec loss_spec(const Options& options);
/// Fills in what `loss` declares to need and evaluates it.
at::Tensor supervised_loss(const LossEntry& loss, const LossSpec& spec, const at::Tensor& z, const at::Tensor& target,
                           const Draws& draws, std::string_view stream);

std::unique_ptr<Method> create_supervised(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_self_training(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_mlpac(const MethodEntry& entry, const MethodContext& context);

}  // namespace mlpac
