#include "losses/epr.h"

#include <numeric>

#include "losses/assume_negative.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor expected_positives_penalty(const at::Tensor& z, double expected) {
  const auto classes = static_cast<double>(z.size(1));
  return (at::sigmoid(z).sum(1).mean() - expected).pow(2) / (classes * classes);
}

at::Tensor epr(const LossInput& input, const EprSpec& spec) {
  const AssumeNegativeSpec known{.unknown_weight = 0, .epsilon = spec.epsilon, .reduction = Reduction::sum};
  return assume_negative(input, known) / static_cast<double>(input.z.numel()) +
         expected_positives_penalty(input.z, spec.expected);
}

Loss create_epr(const LossContext& context) {
  EprSpec spec{.expected = context.options.number("expected-positives")};
  if (spec.expected == 0) spec.expected = std::accumulate(context.prior.begin(), context.prior.end(), 0.0);
  return [spec](const LossInput& input) { return epr(input, spec); };
}

}  // namespace mlpac
