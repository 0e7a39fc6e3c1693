// Any method, chosen by cross-validation: it is trained once per fold without the fold's rows, its candidates are
// compared on all rows that way, and the chosen one is trained again on all of them: once, or as often as its
// committee has members.
#pragma once

#include "methods/method.h"

namespace mlpac {

class CrossFit : public Method {
 public:
  /// `fold_rows`: label rows that are trained on, per fold. `context.train_rows` are all of them. The context's options
  /// and labels must outlive the method.
  CrossFit(const MethodEntry& entry, const MethodContext& context,
           std::span<const std::vector<std::int64_t>> fold_rows);

  std::vector<Phase> phases() const override;
  void begin_phase(std::size_t phase, const Selected& selected) override;
  std::vector<std::vector<Learner*>> active(const Clock& clock) override;
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override;
  std::vector<Candidate> candidates(std::size_t phase) override;
  void end_epoch(const EpochContext& context) override;
  BatchPlan batch_plan(std::size_t phase) const override;
  std::vector<std::shared_ptr<Network>> companions() override;
  std::optional<double> weight(std::int64_t candidate, const Clock& clock) const override;
  void save(State& state) const override;
  void load(const State& state) override;

 private:
  /// Phases of the folds come first, the same ones on all rows follow.
  bool repeating(std::size_t phase) const { return phase >= phases_.size(); }
  std::size_t inner(std::size_t phase) const { return repeating(phase) ? phase - phases_.size() : phase; }
  Clock inner(Clock clock) const;
  void create_final(const Settings& settings);

  const MethodEntry& entry_;
  MethodContext context_;
  std::vector<Phase> phases_;     ///< of the method
  std::vector<BatchPlan> plans_;  ///< of its phases
  std::size_t members_;
  std::vector<std::unique_ptr<Method>> parts_;  ///< one per fold; in the last phases one per member
  bool final_ = false;                          ///< parts are members
  Settings chosen_;
  std::optional<double> weight_;  ///< of the chosen candidate
  Options options_;               ///< with what was chosen
};

}  // namespace mlpac
