// Selective training in two phases: a temporary model, trained in negative mode, tells how frequent each class is; then
// the model is trained without the unknown entries of frequent classes. With a prior from elsewhere there is only the
// second phase, which is ordinary supervised learning.

#include <array>

#include "losses/csl.h"
#include "methods/supervised.h"

namespace mlpac {

namespace {

class Csl : public Method {
 public:
  Csl(const MethodEntry& entry, const MethodContext& context)
      : decision_(context.decision),
        selective_(find_loss(entry.loss)),
        spec_(csl_spec(LossFacts(context).context())),
        classes_(context.annotated.classes()),
        temporary_(make_learner("temporary", context, context.stage.lr)),
        model_(make_learner("network", context, context.stage.lr)) {
    const std::string name(context.stage.name);
    const Phase phase{name, context.options.integer(context.stage.epochs),
                      context.options.integer(context.stage.patience)};
    phases_ = {phase, phase};
    phases_.front().name = name + "-prior";
  }

  std::vector<Phase> phases() const override { return phases_; }
  void begin_phase(std::size_t /*phase*/, const Selected& /*selected*/) override {}
  std::vector<std::vector<Learner*>> active(const Clock& clock) override { return {{&learner(clock.phase)}}; }
  std::vector<Candidate> candidates(std::size_t phase) override { return {{&learner(phase)}}; }

  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override {
    const auto z = decision_.log_odds(learner.network->forward(batch)).to(at::kFloat);
    const auto negative_mode = [this](const LossInput& input) { return p_asl(input, spec_.asl); };
    const auto selective = [this](const LossInput& input) { return csl(input, spec_); };
    auto loss = evaluate_loss(selective_, clock.phase == 0 ? Loss(negative_mode) : Loss(selective), z, batch.y, batch);
    log.add("loss", loss);
    return loss;
  }

  void end_epoch(const EpochContext& context) override {
    if (context.clock.phase > 0) return;
    RunningPrior prior(classes_);
    const std::array<Network*, 1> networks{&temporary_.predictor()};
    context.sweep(networks, [&](const Batch& batch, std::span<const at::Tensor> logits) {
      const auto p = at::sigmoid(decision_.log_odds(logits[0]));
      prior.add(at::where(batch.y > 0, at::ones_like(p), p));  // what is annotated needs no estimate
    });
    prior.combine(context.group);
    spec_.prior = prior.mean();
    (*context.log)["mean_prior"] = spec_.prior.mean().item<double>();
  }

  void save(State& state) const override {
    temporary_.save(state);
    model_.save(state);
    if (spec_.prior.defined()) state.tensors["csl.prior"] = spec_.prior;
  }
  void load(const State& state) override {
    temporary_.load(state);
    model_.load(state);
    if (const auto prior = state.tensors.find("csl.prior"); prior != state.tensors.end()) spec_.prior = prior->second;
  }

 private:
  Learner& learner(std::size_t phase) { return phase == 0 ? temporary_ : model_; }

  Decision decision_;
  const LossEntry& selective_;
  CslSpec spec_;
  std::int64_t classes_;
  std::vector<Phase> phases_;
  Learner temporary_;
  Learner model_;
};

}  // namespace

std::unique_ptr<Method> create_csl_method(const MethodEntry& entry, const MethodContext& context) {
  if (context.options.text("csl-prior") == "negative-model") return std::make_unique<Csl>(entry, context);
  return create_supervised(entry, context);
}

}  // namespace mlpac
