#include "losses/csl.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "distributed/batch_share.h"
#include "losses/pu_risk.h"
#include "nn/torch.h"

namespace mlpac {

at::Tensor selected(const LossInput& input, const CslSpec& spec) {
  const auto unknown = input.y == 0;
  auto keep = at::ones_like(unknown);
  if (spec.prior.defined()) keep = keep & (spec.prior <= spec.prior_threshold).to(keep.device()).unsqueeze(0);
  const auto score = input.z.detach().masked_fill(unknown.logical_not(), -std::numeric_limits<double>::infinity());
  const auto rows = static_cast<double>(rows_of_batch(input.z.size(0)));
  const auto candidates = unknown.sum().item<std::int64_t>();
  auto count = std::min<std::int64_t>(candidates, std::llround(spec.top * rows));
  // The classes that the prior left out take part in the choice, as in the official code.
  auto [scores, likeliest] = score.flatten().topk(count);
  if (BatchShare::current() != nullptr) {  // the likeliest of all rows, of which some are here
    const auto all = values_of_batch(scores);
    count = std::min<std::int64_t>(all.numel(), std::llround(spec.top * rows));
    if (count > 0) likeliest = likeliest.masked_select(scores >= std::get<0>(all.topk(count))[-1]);
  }
  keep = keep.flatten().index_fill(0, likeliest, 0).view(input.z.sizes());
  return keep | unknown.logical_not();
}

at::Tensor csl(const LossInput& input, const CslSpec& spec) {
  return weighted_p_asl(input, selected(input, spec).to(input.z.dtype()), spec.asl);
}

CslSpec csl_spec(const LossContext& context) {
  const auto& options = context.options;
  CslSpec spec;
  spec.asl = p_asl_spec(context);
  spec.top = options.number("likelihood-top");
  // The paper's 5 of 80 classes, so that data with few classes keeps most of its unknown entries.
  if (spec.top == 0) spec.top = 5.0 / 80 * static_cast<double>(context.classes());
  spec.prior_threshold = options.number("prior-threshold");
  return spec;
}

Loss create_csl(const LossContext& context) {
  auto spec = csl_spec(context);
  std::vector<double> prior(context.prior.begin(), context.prior.end());
  if (context.options.text("csl-prior") == "counting") {
    prior.resize(static_cast<std::size_t>(context.classes()));
    for (std::size_t c = 0; c < prior.size(); ++c) prior[c] = context.annotated_share(c);
  }
  spec.prior = class_tensor(prior);
  return [spec](const LossInput& input) { return csl(input, spec); };
}

RunningPrior::RunningPrior(std::int64_t classes) : sum_(at::zeros({classes}, at::kDouble)) {}

void RunningPrior::add(const at::Tensor& probabilities) {
  sum_ += probabilities.sum(0).to(at::kCPU, at::kDouble);
  rows_ += probabilities.size(0);
}

void RunningPrior::combine(const Group& group) {
  const auto totals = at::cat({sum_, at::full({1}, static_cast<double>(rows_), at::kDouble)});
  group.sum(totals);
  sum_ = totals.slice(0, 0, -1);
  rows_ = totals[-1].item<std::int64_t>();
}

at::Tensor RunningPrior::mean() const { return sum_ / static_cast<double>(std::max<std::int64_t>(1, rows_)); }

}  // namespace mlpac
