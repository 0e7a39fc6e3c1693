// Self-training: after each epoch, unknown entries the network is sure of become positives of the next one.
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
  at::Tensor target(const Batch& batch) const override { return enhanced_.target(batch); }

 private:
  double gamma_;
  bool cumulative_;
  const Labels* truth_;
  EnhancedLabels enhanced_;
};

}  // namespace

std::unique_ptr<Method> create_self_training(const MethodEntry& entry, const MethodContext& context) {
  return std::make_unique<SelfTraining>(entry, context);
}

}  // namespace mlpac
