// Self-training, both ways. By epoch: unknown entries the network is sure of become positives of the next epoch. By
// agreement, as the official image code's ablation does: in every batch, unknown entries that the network and a critic
// in negative mode, trained beside it, both call TRUE are positives.
#include "losses/bce.h"
#include "methods/enhanced_labels.h"
#include "methods/supervised.h"

namespace mlpac {

namespace {

class SelfTraining : public Supervised {
 public:
  SelfTraining(const MethodEntry& entry, const MethodContext& context)
      : Supervised(entry, context),
        gamma_(context.options.number("gamma")),
        cumulative_(context.options.flag("cumulative")),
        truth_(context.truth),
        enhanced_(context.annotated.rows()) {}

  void end_epoch(const EpochContext& context) override {
    const std::array<Network*, 1> networks{&trials_.front().learner.predictor()};
    context.sweep(networks, [&](const Batch& batch, std::span<const at::Tensor> logits) {
      enhanced_.propose(batch, at::sigmoid(decision_.log_odds(logits[0])) > gamma_, cumulative_);
    });
    enhanced_.combine(context.group);
    (*context.log)["enhanced"] = enhanced_.count();
    if (truth_ != nullptr) (*context.log)["enhanced_precision"] = enhanced_.precision(*truth_);
  }
  void save(State& state) const override {
    Supervised::save(state);
    enhanced_.save(state, "enhanced");
  }
  void load(const State& state) override {
    Supervised::load(state);
    enhanced_.load(state, "enhanced");
  }

 protected:
  at::Tensor target(const Batch& batch, const at::Tensor& /*z*/) override { return enhanced_.target(batch); }

 private:
  double gamma_;
  bool cumulative_;
  const Labels* truth_;
  EnhancedLabels enhanced_;
};

class AgreementTraining : public Supervised {
 public:
  AgreementTraining(const MethodEntry& entry, const MethodContext& context)
      : Supervised(entry, context),
        form_{.form = loss_form(context.options)},
        critic_(make_learner("critic", context, "critic-lr")) {
    set_weights(critic_, copy_weights(*trials_.front().learner.network));  // both start alike
  }

  std::vector<std::vector<Learner*>> active(const Clock& /*clock*/) override {
    return {{&critic_}, {&trials_.front().learner}};
  }
  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override {
    if (&learner != &critic_) return Supervised::objective(learner, batch, clock, log);
    LossInput input;
    const auto supervision = learner.network->supervise(batch);
    input.z = decision_.log_odds(supervision.logits).to(at::kFloat);
    input.y = batch.y;
    auto loss = with_auxiliary(bce(input, form_), supervision, batch.y, log);
    log.add("critic_loss", loss);
    return loss;
  }
  std::vector<std::shared_ptr<Network>> companions() override { return {critic_.predicting()}; }
  void save(State& state) const override {
    Supervised::save(state);
    critic_.save(state);
  }
  void load(const State& state) override {
    Supervised::load(state);
    critic_.load(state);
  }

 protected:
  at::Tensor target(const Batch& batch, const at::Tensor& z) override {
    const at::NoGradGuard no_grad;
    auto& critic = *critic_.network;
    critic.eval();
    const auto agreed = (decision_.log_odds(critic.forward(batch)) > 0) & (z.detach() > 0) & (batch.y == 0);
    critic.train();
    return batch.y.masked_fill(agreed, 1);
  }

 private:
  BceSpec form_;
  Learner critic_;
};

}  // namespace

std::unique_ptr<Method> create_self_training(const MethodEntry& entry, const MethodContext& context) {
  if (context.options.text("self-labels") == "agreement") return std::make_unique<AgreementTraining>(entry, context);
  return std::make_unique<SelfTraining>(entry, context);
}

}  // namespace mlpac
