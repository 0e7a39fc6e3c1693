// P3M: metric learning with a PU risk. Annotated rows are seen under two dropout masks, and annotated entries are mixed
// with what is not positive.
#include "losses/p3m.h"

#include "core/random.h"
#include "methods/supervised.h"
#include "mlpac/error.h"
#include "priors/prior_option.h"

namespace mlpac {

namespace {

P3mRiskSpec risk_spec(const MethodContext& context) {
  if (context.prior.empty()) throw UsageError("--method p3m needs --prior, for example --prior estimate");
  const auto on_device = [&](std::span<const double> values) {
    return torch::tensor(std::vector<double>(values.begin(), values.end()), at::kFloat).to(context.device);
  };
  const auto prior = on_device(context.prior);
  // The rows of a fold may be annotated more often than all are.
  const auto annotated = on_device(positive_shares(context.annotated, context.train_rows));
  return {prior, at::minimum(annotated, prior)};
}

class P3m : public Method {
 public:
  explicit P3m(const MethodContext& context)
      : phase_{std::string(context.stage.name), context.options.integer(context.stage.epochs),
               context.options.integer(context.stage.patience)},
        decision_(context.decision),
        risk_(risk_spec(context)),
        augmentation_(context.options.text("augmentation")),
        mixup_(context.options.text("mixup")),
        mixup_weight_(context.options.number("mixup-weight")),
        alpha_(context.options.number("mixup-alpha")),
        learner_(make_learner("network", context, context.stage.lr)) {
    if (mixup_ == "none-class" && !learner_.network->none_log_odds().defined()) {
      throw UsageError(
          "--mixup none-class needs a network that compares embeddings (--network cosine, or --pair-head metric for "
          "documents); use --mixup rows or off with another one");
    }
  }

  std::vector<Phase> phases() const override { return {phase_}; }
  void begin_phase(std::size_t /*phase*/, const Selected& /*selected*/) override {}
  std::vector<std::vector<Learner*>> active(const Clock& /*clock*/) override { return {{&learner_}}; }
  std::vector<Candidate> candidates(std::size_t /*phase*/) override { return {{&learner_}}; }
  void end_epoch(const EpochContext& /*context*/) override {}
  void save(State& state) const override { learner_.save(state); }
  void load(const State& state) override { learner_.load(state); }

  at::Tensor objective(Learner& learner, const Batch& batch, const Clock& /*clock*/, StepLog& log) override {
    auto z = log_odds(learner, batch);
    auto used = z;
    auto y = batch.y;
    auto used_y = y;
    if (augmentation_ != "off") {
      const auto second = second_view(learner, batch);
      const auto chosen = (augmentation_ == "all" ? at::ones_like(y) : y) > 0;
      const auto rows = chosen.any(1).nonzero().squeeze(1);
      used = at::cat({z, second.index_select(0, rows)});
      used_y = at::cat({y, y.index_select(0, rows)});
      z = at::cat({z, second});
      y = at::cat({y, y});
    }
    auto loss = p3m_risks(used, used_y, risk_).sum();
    log.add("risk", loss);
    if (mixup_ != "off" && mixup_weight_ > 0) {
      const auto mixed = p3m_mixup(z, partner_log_odds(z, y, batch), y, mixing_share(batch));
      log.add("mixup_loss", mixed);
      loss = loss + mixup_weight_ * mixed;
    }
    log.add("loss", loss);
    return loss;
  }

 private:
  at::Tensor log_odds(Learner& learner, const Batch& batch) const {
    return decision_.log_odds(learner.network->forward(batch)).to(at::kFloat);
  }

  /// The same rows under another dropout mask.
  at::Tensor second_view(Learner& learner, const Batch& batch) const {
    auto& stream = learner.network->stream;
    const auto first = stream;
    stream = first + ".second";
    auto z = log_odds(learner, batch);
    stream = first;
    return z;
  }

  at::Tensor partner_log_odds(const at::Tensor& z, const at::Tensor& y, const Batch& batch) const {
    if (mixup_ == "none-class") return learner_.network->none_log_odds().to(at::kFloat);
    const auto views = z.size(0) / batch.y.size(0);
    const auto draws = batch.draws.uniform("mixup.partners", views, z.size(1)).reshape(z.sizes());
    return z.gather(0, p3m_partners(y, draws));
  }

  /// One number per batch: a function of which rows it holds.
  double mixing_share(const Batch& batch) const {
    std::uint64_t key = 0;
    for (const std::uint64_t own : batch.draws.keys("mixup.share")) key ^= own;
    return beta_at(key, alpha_);
  }

  Phase phase_;
  Decision decision_;
  P3mRiskSpec risk_;
  std::string augmentation_;
  std::string mixup_;
  double mixup_weight_;
  double alpha_;
  Learner learner_;
};

}  // namespace

std::unique_ptr<Method> create_p3m(const MethodEntry& /*entry*/, const MethodContext& context) {
  return std::make_unique<P3m>(context);
}

}  // namespace mlpac
