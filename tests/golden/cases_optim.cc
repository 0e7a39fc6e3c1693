// Optimisers and learning-rate schedules of the official codes.
#include <vector>

#include "golden_case.h"
#include "mlpac/schedule.h"
#include "nn/torch.h"
#include "train/optimizer.h"

namespace mlpac::golden {

namespace {

/// The parameter after every step with the recorded gradients.
at::Tensor trajectory(const GoldenCase& test, const OptimizerSpec& spec, const Schedule& schedule, std::int64_t total) {
  const auto p = test.input_float("p0").clone().requires_grad_();
  const auto gradients = test.input_float("grads");
  Adam adam({{"p", p}}, spec);
  std::vector<at::Tensor> steps;
  for (std::int64_t step = 0; step < gradients.size(0); ++step) {
    p.mutable_grad() = gradients[step].clone();
    adam.step(rate_at(schedule, step, total));
    steps.push_back(p.detach().clone());
  }
  return at::stack(steps);
}

/// lr and beta1 of the first `count` steps.
struct Rates {
  at::Tensor lr, beta1;
};
Rates rates(const Schedule& schedule, std::int64_t count, std::int64_t total, double lr) {
  std::vector<double> factors;
  std::vector<double> betas;
  for (std::int64_t step = 0; step < count; ++step) {
    const auto rate = rate_at(schedule, step, total);
    factors.push_back(lr * rate.factor);
    betas.push_back(rate.beta1);
  }
  return {at::tensor(factors, at::kDouble), at::tensor(betas, at::kDouble)};
}

/// How many steps a stored list covers.
std::int64_t length(const GoldenCase& test, const char* output) {
  return test.entry().at("outputs").at(output).at("shape").at(0);
}

std::int64_t integer(const nlohmann::json& params, const char* name) {
  return static_cast<std::int64_t>(params.at(name).get<double>());
}

}  // namespace

void adamw_linear(GoldenCase& test) {
  const auto& params = test.params();
  const OptimizerSpec spec{.lr = params.at("lr"),
                           .beta1 = params.at("betas").at(0),
                           .beta2 = params.at("betas").at(1),
                           .eps = params.at("eps"),
                           .weight_decay = params.at("weight_decay"),
                           .eps_before_correction = true};
  const Schedule schedule{.kind = ScheduleKind::linear, .warmup = integer(params, "warmup")};
  const auto total = integer(params, "total");
  test.expect("trajectory", trajectory(test, spec, schedule, total));
  test.expect("lr", rates(schedule, length(test, "lr"), total, spec.lr).lr);
}

void adam_onecycle(GoldenCase& test) {
  const auto& params = test.params();
  const OptimizerSpec spec{.lr = params.at("max_lr"), .weight_decay = params.at("weight_decay"), .decoupled = false};
  const Schedule schedule{.kind = ScheduleKind::one_cycle, .peak = params.at("pct_start")};
  const auto total = integer(params, "steps_per_epoch") * integer(params, "epochs");
  test.expect("trajectory", trajectory(test, spec, schedule, total));
  const auto all = rates(schedule, length(test, "lr"), total, spec.lr);
  test.expect("lr", all.lr);
  test.expect("beta1", all.beta1);
}

void policy_lr_restart(GoldenCase& test) {
  const auto& params = test.params();
  const Schedule schedule{.kind = ScheduleKind::linear_restart,
                          .warmup = integer(params, "warmup"),
                          .restart_step = integer(params, "steps_per_epoch") * integer(params, "switch_epoch"),
                          .restart_total = integer(params, "second_total")};
  const auto total = integer(params, "total");
  test.expect("factor", rates(schedule, length(test, "factor"), total, 1).lr);
}

}  // namespace mlpac::golden
