// Learning-rate schedules: pure functions of the step, so there is nothing to save and nothing to get wrong on resume.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mlpac/choice.h"

namespace mlpac {

enum class ScheduleKind {
  constant,
  linear,          ///< to 0 at the last step
  cosine,          ///< half a cosine to 0
  one_cycle,       ///< PyTorch's OneCycleLR: up from lr/25, down to lr/250 000, beta1 0.95 -> 0.85 -> 0.95
  linear_restart,  ///< linear, replaced at `restart_step` by a second one over `restart_total` steps (official DocRE)
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::linear;
  std::int64_t warmup = 0;  ///< steps that climb linearly from 0 (constant, linear, cosine, linear_restart)
  double peak = 0.3;        ///< one_cycle: share of the steps that climb
  std::int64_t restart_step = 0;
  std::int64_t restart_total = 0;
};

/// What the optimiser uses at one step.
struct Rate {
  double factor = 1;  ///< times the learning rate
  double beta1 = -1;  ///< first-moment decay if the schedule cycles it, else negative
};

/// Rate of step `step` (from 0) of a phase of `total` steps.
Rate rate_at(const Schedule& schedule, std::int64_t step, std::int64_t total);

/// Decay of an average of weights at step `step`: a short memory first, min(decay, (1 + step) / (10 + step)), so that
/// the weights training began with do not stay in the average of a short one.
double average_decay(double decay, std::int64_t step);

std::span<const NamedChoice> schedules();
ScheduleKind parse_schedule(std::string_view name);

}  // namespace mlpac
