#include "losses/ssr_pu.h"

#include "nn/torch.h"

namespace mlpac {

namespace {

PuWeights weights(const SsrPuSpec& spec) {
  const auto& prior = spec.prior;
  // prior * omega with omega = sqrt((1 - prior) / prior)
  const auto positive = (prior * (1 - prior)).sqrt();
  switch (spec.risk) {
    case SsrRisk::pn:
      return {positive, 1 - prior, at::zeros_like(prior)};
    case SsrRisk::pu:
      return {positive, at::ones_like(prior), prior};
    case SsrRisk::s_pu:
      break;
  }
  return shifted_weights(prior, spec.annotated);
}

}  // namespace

at::Tensor ssr_pu_risks(const LossInput& input, const SsrPuSpec& spec) {
  const auto terms = surrogate_terms(input.z, Surrogate::squared, spec.margin);
  return corrected(pu_risk(terms, pu_sets(input, false), weights(spec)), spec.beta, spec.gamma);
}

at::Tensor ssr_pu(const LossInput& input, const SsrPuSpec& spec) { return ssr_pu_risks(input, spec).sum(); }

Loss create_ssr_pu(const LossContext& context) {
  const auto& options = context.options;
  SsrPuSpec spec;
  spec.prior = class_tensor(context.prior);
  std::vector<double> annotated;
  for (std::size_t c = 0; c < context.positives.size(); ++c) annotated.push_back(context.annotated_share(c));
  spec.annotated = class_tensor(annotated);
  const auto& risk = options.text("ssr-risk");
  spec.risk = risk == "pn" ? SsrRisk::pn : risk == "pu" ? SsrRisk::pu : SsrRisk::s_pu;
  spec.margin = options.number("margin");
  if (spec.margin == 0) spec.margin = options.text("threshold-class") == "on" ? 0.25 : 1;
  spec.beta = -options.number("pu-beta");  // the option counts downwards, as nnPU does
  spec.gamma = options.number("pu-gamma");
  return [spec](const LossInput& input) { return ssr_pu(input, spec); };
}

}  // namespace mlpac
