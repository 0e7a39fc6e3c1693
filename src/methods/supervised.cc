#include "methods/supervised.h"

#include <fmt/format.h>

#include <charconv>

#include "mlpac/error.h"

namespace mlpac {

namespace {

/// The number after `prefix` in a value such as "multiple:10"; UsageError if there is none.
double number_after(std::string_view text, std::string_view prefix, std::string_view option, double high) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= high)) {
    throw UsageError(fmt::format("--{}: expected a number from 0 to {} in '{}'", option, high, text));
  }
  return value;
}

}  // namespace

LossSpec loss_spec(const Options& options) {
  LossSpec spec;
  const auto& weight = options.text("positive-weight");
  if (weight == "share") {
    spec.positive_weight = PositiveWeight::share;
  } else if (weight != "ratio") {
    spec.positive_weight = PositiveWeight::fixed;
    spec.weight = number_after(weight, "", "positive-weight", 1e12);
  }
  spec.weight_cap = options.number("weight-cap");
  const std::string_view negatives = options.text("negatives");
  if (negatives.starts_with("multiple:")) {
    spec.negatives = number_after(negatives, "multiple:", "negatives", 1e12);
  } else if (negatives.starts_with("rate:")) {
    spec.sampling = NegativeSampling::rate;
    spec.negatives = number_after(negatives, "rate:", "negatives", 1);
  } else {
    throw UsageError(fmt::format("--negatives: expected multiple:K or rate:P, got '{}'", negatives));
  }
  return spec;
}

at::Tensor supervised_loss(const LossEntry& loss, const LossSpec& spec, const at::Tensor& z, const at::Tensor& target,
                           const Draws& draws, std::string_view stream) {
  LossInput input;
  input.z = z;
  input.y = target;
  if (loss.needs_sums) input.sums = batch_sums(target);
  if (loss.needs_draws) input.draws = draws.uniform(stream, target.size(1));
  return loss.loss(input, spec);
}

Supervised::Supervised(const MethodEntry& entry, const MethodContext& context)
    : decision_(context.decision),
      learner_(make_learner("network", context, context.stage.lr)),
      phase_{std::string(context.stage.name), context.options.integer(context.stage.epochs),
             context.options.integer(context.stage.patience)},
      loss_(find_loss(entry.loss)),
      spec_(loss_spec(context.options)) {}

at::Tensor Supervised::objective(Learner& learner, const Batch& batch, const Clock& /*clock*/, StepLog& log) {
  const auto z = decision_.log_odds(learner.network->forward(batch)).to(at::kFloat);
  auto loss = supervised_loss(loss_, spec_, z, target(batch), batch.draws, "negatives");
  log.add("loss", loss);
  return loss;
}

std::unique_ptr<Method> create_supervised(const MethodEntry& entry, const MethodContext& context) {
  return std::make_unique<Supervised>(entry, context);
}

}  // namespace mlpac
