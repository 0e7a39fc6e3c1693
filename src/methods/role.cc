// ROLE: the network and a matrix of estimated labels, one row per training row, are trained together. With
// --linear-epochs, only the last layer and the estimates learn first; everything then starts from both.
#include "losses/role.h"

#include <algorithm>
#include <numeric>

#include "methods/supervised.h"
#include "nn/upload.h"
#include "train/problem.h"

namespace mlpac {

namespace {

constexpr double kEstimatorRate = 10;  // learning rate of the estimates over that of the network

/// Estimates for every row of the label matrix, trained on or not, so that a batch finds its rows by number.
at::Tensor initial_estimates(const MethodContext& context) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(context.annotated.rows()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto y = dense_labels(context.annotated, rows, context.device);
  const Draws draws(context.seed, 0, rows, context.device);
  return role_initial_logits(draws.uniform("role.estimates", context.annotated.classes()), y).requires_grad_();
}

class Role : public Method {
 public:
  explicit Role(const MethodContext& context)
      : decision_(context.decision), spec_(epr_spec(context.options, context.prior, context.annotated.classes())) {
    const auto& options = context.options;
    if (const auto epochs = options.integer("linear-epochs"); epochs > 0) {
      stages_.push_back(make_stage("linear", context, "pretrain-lr"));
      phases_.push_back({"linear", epochs, options.integer("pretrain-patience")});
    }
    stages_.push_back(make_stage("network", context, context.stage.lr));
    phases_.push_back({std::string(context.stage.name), options.integer(context.stage.epochs),
                       options.integer(context.stage.patience)});
    const bool whole = stages_.size() == 1;
    if (!whole) selected_ = stages_.front().estimates.detach().clone();
    const auto last = stages_.front().learner.network->last_layer() + '.';
    for (const auto& item : stages_.front().learner.network->named_parameters()) {
      item.value().set_requires_grad(whole || item.key().starts_with(last));
    }
  }

  std::vector<Phase> phases() const override { return phases_; }

  void begin_phase(std::size_t phase, const Selected& selected) override {
    if (phase == 0) return;
    set_weights(stages_[phase].learner, selected.weights.front());
    const at::NoGradGuard no_grad;
    stages_[phase].estimates.copy_(role_logits(at::sigmoid(selected_)));
  }

  std::vector<std::vector<Learner*>> active(const Clock& clock) override { return {{&stages_[clock.phase].learner}}; }
  std::vector<Candidate> candidates(std::size_t phase) override { return {{&stages_[phase].learner}}; }

  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) override {
    const auto z = decision_.log_odds(learner.network->forward(batch)).to(at::kFloat);
    const auto rows = upload(torch::tensor(batch.rows, at::kLong), z.device());
    const auto result = role(z, stages_[clock.phase].estimates.index_select(0, rows), batch.y, spec_);
    log.add("loss", result.loss);
    log.add("penalty", result.penalty);
    return result.loss;
  }

  void end_epoch(const EpochContext& context) override {
    if (context.clock.phase + 1 == stages_.size()) return;
    // The next phase starts from the estimates that belong to the selected weights.
    const auto& stage = stages_[context.clock.phase];
    const auto now = named_tensors(stage.learner.predictor());
    const auto& best = context.best();
    const bool chosen = !best.empty() && std::all_of(now.begin(), now.end(), [&](const auto& item) {
      return at::equal(item.second, best.at(item.first));
    });
    if (chosen) selected_ = stage.estimates.detach().clone();
  }

  void save(State& state) const override {
    for (const auto& stage : stages_) {
      stage.learner.save(state);
      state.tensors[stage.learner.name + ".estimates"] = stage.estimates;
    }
    if (selected_.defined()) state.tensors["selected_estimates"] = selected_;
  }

  void load(const State& state) override {
    const at::NoGradGuard no_grad;
    for (auto& stage : stages_) {
      stage.learner.load(state);
      stage.estimates.copy_(state.tensors.at(stage.learner.name + ".estimates"));
    }
    if (selected_.defined()) selected_.copy_(state.tensors.at("selected_estimates"));
  }

 private:
  /// A phase has its own network and estimates: nothing of the optimiser's state goes on.
  struct Stage {
    Learner learner;
    at::Tensor estimates;  ///< logits [label rows x classes]
  };

  static Stage make_stage(const std::string& name, const MethodContext& context, std::string_view lr) {
    Stage stage;
    stage.estimates = initial_estimates(context);
    stage.learner = make_learner(name, context, lr, {{"estimates", stage.estimates, kEstimatorRate, false}});
    return stage;
  }

  Decision decision_;
  EprSpec spec_;
  std::vector<Stage> stages_;
  std::vector<Phase> phases_;
  at::Tensor selected_;  ///< estimates of the best epoch so far of the linear phase
};

}  // namespace

std::unique_ptr<Method> create_role(const MethodEntry& /*entry*/, const MethodContext& context) {
  return std::make_unique<Role>(context);
}

}  // namespace mlpac
