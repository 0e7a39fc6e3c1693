// MLPAC: a policy trained by rewards, a critic trained on enhanced labels that gives the local reward.
#pragma once

#include <mutex>

#include "losses/bce.h"
#include "methods/enhanced_labels.h"
#include "methods/supervised.h"
#include "mlpac/enhancement.h"
#include "mlpac/rewards.h"
#include "rl/weight.h"

namespace mlpac {

/// Policies with different w are trained side by side when w is automatic; each is a candidate for the model, and those
/// that fall behind are given up. With a given w there is one.
class Mlpac : public Method {
 public:
  explicit Mlpac(const MethodContext& context);

  std::vector<Phase> phases() const override;
  void begin_phase(std::size_t phase, const Selected& selected) override;
  std::vector<std::vector<Learner*>> active(const Clock& clock) override;
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override;
  std::vector<Candidate> candidates(std::size_t phase) override;
  void end_epoch(const EpochContext& context) override;
  BatchPlan batch_plan(std::size_t phase) const override;
  std::vector<std::shared_ptr<Network>> companions() override { return {critic_.predicting()}; }
  std::optional<double> weight(std::int64_t candidate, const Clock& clock) const override;
  Settings settings(std::span<const std::int64_t> candidates) const override;
  void save(State& state) const override;
  void load(const State& state) override;

 private:
  enum class Enhance { epoch_policy, batch_teacher, off };
  struct Policy {
    Learner learner;
    double w = 0;  ///< automatic control only
    bool alive = true;
  };

  bool pretraining(std::size_t phase) const { return phase < pretrain_phases_; }
  bool critic_learns(const Clock& clock) const;
  at::Tensor critic_objective(const Batch& batch, StepLog& log);
  at::Tensor policy_objective(Policy& policy, const Batch& batch, const Clock& clock, StepLog& log);
  PolicyObjective estimate(const at::Tensor& z, const at::Tensor& k, const Batch& batch, double w) const;
  void enhance_from(Network& policy, const EpochContext& context);
  void watch_critic(const EpochContext& context);
  at::Tensor critic_value_of(const Batch& batch, const Clock& clock);

  Phase phase_;
  Decision decision_;
  RewardSpec reward_;
  WeightPlan plan_;
  bool exact_;
  bool sampled_mask_;
  std::int64_t samples_;
  std::int64_t reach_;
  double greedy_;
  double entropy_;  ///< weight of that of the decisions
  std::int64_t critic_epochs_;
  std::int64_t critic_patience_;
  double critic_rate_;    ///< share of the unknown entries in the critic's loss
  LossForm critic_form_;  ///< of that loss
  Enhance enhance_;
  EnhancementSpec gamma_;
  bool cumulative_;
  const Labels* truth_;
  bool keep_;
  MixWith mix_;
  bool shared_;  ///< policies read the critic's encoder

  std::unique_ptr<Method> pretrainer_;
  std::size_t pretrain_phases_;
  Learner critic_;
  std::vector<Policy> policies_;
  std::shared_ptr<Network> teacher_;
  EnhancedLabels enhanced_;

  // Critic freezing by score.
  double best_critic_score_ = -1;
  std::int64_t critic_waits_ = 0;
  bool frozen_ = false;

  // k of the current batch, shared by all policies; the first that asks computes it.
  std::mutex value_mutex_;
  at::Tensor value_;
  std::int64_t value_step_ = -1;
  std::vector<std::int64_t> value_rows_;
};

}  // namespace mlpac
