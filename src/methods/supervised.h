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
  std::optional<double> weight(std::int64_t candidate, const Clock& clock) const override;
  Settings settings(std::span<const std::int64_t> candidates) const override;
  void save(State& state) const override;
  void load(const State& state) override;

 protected:
  /// The labels the loss sees; self-training adds its own.
  virtual at::Tensor target(const Batch& batch) const { return batch.y; }

  /// A network trained with one weight. There is one, or with --weight auto several side by side.
  struct Trial {
    Learner learner;
    LossSpec spec;
    bool alive = true;
  };

  Decision decision_;
  std::vector<Trial> trials_;

 private:
  Phase phase_;
  const LossEntry& loss_;
};

/// Loss parameters as the options say.
LossSpec loss_spec(const Options& options);
/// Fills in what `loss` declares to need and evaluates it.
at::Tensor supervised_loss(const LossEntry& loss, const LossSpec& spec, const at::Tensor& z, const at::Tensor& target,
                           const Draws& draws, std::string_view stream);

std::unique_ptr<Method> create_supervised(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_self_training(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_mlpac(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_role(const MethodEntry& entry, const MethodContext& context);
std::unique_ptr<Method> create_p3m(const MethodEntry& entry, const MethodContext& context);

}  // namespace mlpac
