#include "losses/epr.h"

#include <fmt/format.h>

#include <numeric>

#include "core/number_in.h"
#include "distributed/batch_share.h"
#include "losses/assume_negative.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor expected_positives_penalty(const at::Tensor& z, double expected) {
  const auto classes = static_cast<double>(z.size(1));
  const auto rows = static_cast<double>(rows_of_batch(z.size(0)));
  return (over_batch(at::sigmoid(z).sum(1).sum()) / rows - expected).pow(2) / (classes * classes);
}

at::Tensor epr(const LossInput& input, const EprSpec& spec) {
  const AssumeNegativeSpec known{.unknown_weight = 0, .epsilon = spec.epsilon, .reduction = Reduction::sum};
  return assume_negative(input, known) / static_cast<double>(input.z.numel()) +
         expected_positives_penalty(input.z, spec.expected);
}

EprSpec epr_spec(const Options& options, std::span<const double> prior, std::int64_t classes) {
  const auto& text = options.text("expected-positives");
  if (text == "prior") {
    if (prior.empty()) throw UsageError("--expected-positives prior: there is no --prior to sum up");
    return {.expected = std::accumulate(prior.begin(), prior.end(), 0.0)};
  }
  const auto value = number_in(text);
  if (!value || !(*value >= 0 && *value <= static_cast<double>(classes))) {
    throw UsageError(
        fmt::format("--expected-positives: expected prior or a number from 0 to {} (labels), got '{}'", classes, text));
  }
  return {.expected = *value};
}

Loss create_epr(const LossContext& context) {
  return [spec = epr_spec(context.options, context.prior, context.classes())](const LossInput& input) {
    return epr(input, spec);
  };
}

}  // namespace mlpac
