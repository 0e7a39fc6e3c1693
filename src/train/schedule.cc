#include "mlpac/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/names.h"

namespace mlpac {

namespace {

constexpr std::array<NamedChoice, 5> kSchedules{{
    {"constant", "the same rate at every step (after the warm-up)"},
    {"linear", "linear decay to 0 (the default: decay is part of the method)"},
    {"cosine", "half a cosine to 0"},
    {"one-cycle", "up, then down along cosines, with the first moment's decay cycled too (PyTorch's OneCycleLR)"},
    {"linear-restart", "linear, started anew when the critic is frozen (official DocRE code)"},
}};

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
}

double linear(std::int64_t step, std::int64_t warmup, std::int64_t total) {
  if (step < warmup) return share(step, warmup);
  return std::max(0.0, share(total - step, total - warmup));
}

/// From `from` to `to` along half a cosine.
double half_cosine(double from, double to, double progress) {
  return to + (from - to) / 2 * (1 + std::cos(std::numbers::pi * progress));
}

/// OneCycleLR of PyTorch with its default div_factor, final_div_factor and momentum range.
Rate one_cycle(std::int64_t step, std::int64_t total, double peak) {
  constexpr double kStart = 1.0 / 25;
  constexpr double kEnd = kStart / 1e4;
  constexpr double kHigh = 0.95;
  constexpr double kLow = 0.85;
  const double turn = peak * static_cast<double>(total) - 1;
  const auto now = static_cast<double>(step);
  if (now <= turn) {
    const double progress = turn > 0 ? now / turn : 1;
    return {half_cosine(kStart, 1, progress), half_cosine(kHigh, kLow, progress)};
  }
  const double progress = (now - turn) / std::max(1.0, static_cast<double>(total) - 1 - turn);
  return {half_cosine(1, kEnd, progress), half_cosine(kLow, kHigh, progress)};
}

}  // namespace

double average_decay(double decay, std::int64_t step) {
  return std::min(decay, static_cast<double>(1 + step) / static_cast<double>(10 + step));
}

std::span<const NamedChoice> schedules() { return kSchedules; }

ScheduleKind parse_schedule(std::string_view name) {
  return static_cast<ScheduleKind>(index_of(name, kSchedules, "schedule"));
}

Rate rate_at(const Schedule& schedule, std::int64_t step, std::int64_t total) {
  switch (schedule.kind) {
    case ScheduleKind::constant:
      return {step < schedule.warmup ? share(step, schedule.warmup) : 1.0};
    case ScheduleKind::linear:
      return {linear(step, schedule.warmup, total)};
    case ScheduleKind::cosine:
      if (step < schedule.warmup) return {share(step, schedule.warmup)};
      return {half_cosine(1, 0, std::min(1.0, share(step - schedule.warmup, total - schedule.warmup)))};
    case ScheduleKind::one_cycle:
      return one_cycle(step, total, schedule.peak);
    case ScheduleKind::linear_restart:
      // The official code builds both schedules at the start and the second acts from its first own step, so the first
      // batch after the switch still uses the old rate.
      if (step <= schedule.restart_step) return {linear(step, schedule.warmup, total)};
      return {linear(step - schedule.restart_step, schedule.warmup, schedule.restart_total)};
  }
  return {};
}

}  // namespace mlpac
