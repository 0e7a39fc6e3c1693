#include "losses/neg_weight.h"

#include <fmt/format.h>

#include "losses/atl.h"
#include "losses/bce.h"
#include "losses/option_value.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

NegWeightSpec neg_weight_spec(const Options& options) {
  NegWeightSpec spec;
  spec.form = loss_form(options);
  const std::string_view negatives = options.text("negatives");
  if (negatives.starts_with("multiple:")) {
    spec.negatives = number_after(negatives, "multiple:", "negatives", 1e12);
  } else if (negatives.starts_with("rate:")) {
    spec.sampling = NegativeSampling::rate;
    spec.negatives = number_after(negatives, "rate:", "negatives", 1);
  } else if (negatives.starts_with("pairs:")) {
    spec.sampling = NegativeSampling::rows;
    spec.negatives = number_after(negatives, "pairs:", "negatives", 1e12);
  } else {
    throw UsageError(fmt::format("--negatives: expected multiple:K, rate:P or pairs:K, got '{}'", negatives));
  }
  return spec;
}

at::Tensor neg_weight(const LossInput& input, const NegWeightSpec& spec) {
  const auto& sums = input.sums;
  // Probability with which an unknown entry is kept, and the draw that decides: one for each entry, or for the row.
  at::Tensor keep;
  auto draws = input.draws;
  if (spec.sampling == NegativeSampling::multiple) {
    keep = (spec.negatives * sums.positives / sums.others.clamp_min(1)).clamp_max(1);
  } else if (spec.sampling == NegativeSampling::rows) {
    const auto annotated = (input.y > 0).any(1, true).to(input.z.dtype());
    keep =
        annotated + (1 - annotated) * (spec.negatives * sums.positive_rows / sums.other_rows.clamp_min(1)).clamp_max(1);
    draws = draws.slice(1, 0, 1);
  } else if (spec.sampling == NegativeSampling::every) {
    keep = at::full_like(sums.positives, spec.negatives);
  } else {
    const auto many = (10 * sums.positives < sums.positives + sums.others).to(input.z.dtype());
    keep = 1 - many * (1 - spec.negatives);
  }
  const auto drawn = draws >= 1 - keep;
  const auto kept = drawn | (input.y < 0);  // a known negative is always kept
  if (spec.form == LossForm::adaptive_threshold) {
    const bool rowwise = spec.sampling == NegativeSampling::rows;  // a row's one negative term, or classes within it
    const auto terms = atl_terms(input, rowwise ? at::Tensor() : kept);
    const auto negative = rowwise ? terms.negative * drawn : terms.negative;
    return reduce(terms.positive, spec.reduction) + reduce(negative, spec.reduction);
  }
  const auto terms = bce_terms(input);
  return reduce(terms.positive + terms.negative * kept, spec.reduction);
}

Loss create_neg_weight(const LossContext& context) {
  return [spec = neg_weight_spec(context.options)](const LossInput& input) { return neg_weight(input, spec); };
}

std::vector<LossTrial> neg_weight_trials(const LossContext& context, std::span<const double> factors) {
  const auto given = neg_weight_spec(context.options);
  const double base = given.sampling == NegativeSampling::multiple ? given.negatives : 10;
  std::vector<LossTrial> trials;
  for (const double factor : factors) {
    NegWeightSpec spec{NegativeSampling::multiple, base / factor};
    spec.form = given.form;
    trials.push_back({[spec](const LossInput& input) { return neg_weight(input, spec); },
                      spec.negatives,
                      {{"weight", "rule"}, {"negatives", fmt::format("multiple:{}", spec.negatives)}}});
  }
  return trials;
}

}  // namespace mlpac
