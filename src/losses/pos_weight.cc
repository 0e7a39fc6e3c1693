#include "losses/pos_weight.h"

#include <fmt/format.h>

#include <algorithm>

#include "losses/atl.h"
#include "losses/bce.h"
#include "losses/option_value.h"
#include "nn/torch.h"

namespace mlpac {

PosWeightSpec pos_weight_spec(const Options& options) {
  PosWeightSpec spec;
  const auto& weight = options.text("positive-weight");
  if (weight == "share") {
    spec.rule = PositiveWeight::share;
  } else if (weight == "rows") {
    spec.rule = PositiveWeight::rows;
  } else if (weight != "ratio") {
    spec.rule = PositiveWeight::fixed;
    spec.weight = number_after(weight, "", "positive-weight", 1e12);
  }
  spec.cap = options.number("weight-cap");
  spec.form = loss_form(options);
  return spec;
}

at::Tensor pos_weight(const LossInput& input, const PosWeightSpec& spec) {
  at::Tensor weight;
  if (spec.rule == PositiveWeight::fixed) {
    weight = at::full({}, spec.weight, input.z.options());
  } else if (spec.rule == PositiveWeight::rows) {
    weight = (input.sums.other_rows / input.sums.positive_rows.clamp_min(1)).clamp_min(1);
  } else {
    // A batch without positives has no positive term, so its weight does not matter as long as it is finite.
    const auto count =
        spec.rule == PositiveWeight::share ? input.sums.others + input.sums.positives : input.sums.others;
    weight = count / input.sums.positives.clamp_min(1);
  }
  if (spec.cap > 0) weight = weight.clamp_max(spec.cap);
  if (spec.form == LossForm::adaptive_threshold) {
    const auto terms = atl_terms(input);
    return reduce(weight * terms.positive, spec.reduction) + reduce(terms.negative, spec.reduction);
  }
  if (input.z.device().is_cpu()) {
    if (auto fused = fused_bce(input, weight.item<double>(), spec.reduction)) return *fused;
  }
  const auto terms = bce_terms(input);
  return reduce(weight * terms.positive + terms.negative, spec.reduction);
}

Loss create_pos_weight(const LossContext& context) {
  return [spec = pos_weight_spec(context.options)](const LossInput& input) { return pos_weight(input, spec); };
}

std::vector<LossTrial> pos_weight_trials(const LossContext& context, std::span<const double> factors) {
  const auto given = pos_weight_spec(context.options);
  // A row has one negative term with a threshold class, otherwise one of each class.
  const bool rowwise = given.form == LossForm::adaptive_threshold;
  const double rate = context.annotated_rate() * (rowwise ? static_cast<double>(context.classes()) : 1);
  const double base =
      given.rule == PositiveWeight::fixed ? given.weight : std::max(1.0, (1 - rate) / std::max(1e-9, rate));
  std::vector<LossTrial> trials;
  for (const double factor : factors) {
    auto spec = given;
    spec.rule = PositiveWeight::fixed;
    spec.weight = base * factor;
    trials.push_back({[spec](const LossInput& input) { return pos_weight(input, spec); },
                      spec.weight,
                      {{"weight", "rule"}, {"positive-weight", fmt::format("{}", spec.weight)}}});
  }
  return trials;
}

}  // namespace mlpac
