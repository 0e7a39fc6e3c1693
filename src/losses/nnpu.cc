#include "losses/nnpu.h"

#include "nn/torch.h"

namespace mlpac {

namespace {

/// Re-balancing multiplies the positive risk by target / prior and the negative one by (1 - target) / (1 - prior).
PuWeights weights(const NnPuSpec& spec) {
  if (spec.target == 0) return {spec.prior, at::ones_like(spec.prior), spec.prior};
  const auto negative = (1 - spec.target) / (1 - spec.prior);
  return {at::full_like(spec.prior, spec.target), negative, negative * spec.prior};
}

NnPuSpec nnpu_spec(const LossContext& context) {
  const auto& options = context.options;
  NnPuSpec spec;
  spec.include_positives = options.text("unlabelled") == "all";
  std::vector<double> prior(context.prior.begin(), context.prior.end());
  for (std::size_t c = 0; c < prior.size() && !spec.include_positives; ++c) {
    prior[c] = unlabelled_prior(prior[c], context.annotated_share(c));
  }
  spec.prior = class_tensor(prior).clamp_max(0.99);  // (1 - prior) divides
  spec.surrogate = options.text("surrogate") == "logistic" ? Surrogate::logistic : Surrogate::sigmoid;
  spec.beta = options.number("pu-beta");
  spec.gamma = options.number("pu-gamma");
  return spec;
}

Loss loss_of(const NnPuSpec& spec) {
  return [spec](const LossInput& input) { return nnpu(input, spec); };
}

}  // namespace

NnPuLoss nnpu_parts(const LossInput& input, const NnPuSpec& spec) {
  const auto terms = surrogate_terms(input.z, spec.surrogate);
  const auto risk = pu_risk(terms, pu_sets(input, spec.include_positives), weights(spec));
  const auto total = risk.positive + risk.negative;
  if (!spec.non_negative) return {total, total, risk};
  const auto reported = at::where(risk.negative < -spec.beta, risk.positive - spec.beta, total);
  return {corrected(risk, -spec.beta, spec.gamma), reported, risk};
}

at::Tensor nnpu(const LossInput& input, const NnPuSpec& spec) {
  const auto parts = nnpu_parts(input, spec);
  const auto minimised = parts.minimised.sum();
  return minimised + (parts.reported.sum() - minimised).detach();
}

Loss create_upu(const LossContext& context) {
  auto spec = nnpu_spec(context);
  spec.non_negative = false;
  return loss_of(spec);
}

Loss create_nnpu(const LossContext& context) { return loss_of(nnpu_spec(context)); }

Loss create_imbalanced_nnpu(const LossContext& context) {
  auto spec = nnpu_spec(context);
  spec.target = context.options.number("target-prior");
  return loss_of(spec);
}

}  // namespace mlpac
