#include "rl/weight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/number_in.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

}  // namespace

WeightPlan parse_weight(std::string_view text) {
  const auto fail = [&]() {
    throw UsageError(
        fmt::format("--w: expected auto, auto:FROM:TO (0 < FROM < TO), a number >= 0, linear:FROM:TO[:SHARE] or "
                    "list:A,B,...[:cyclic], got '{}'",
                    text));
  };
  const auto number = [&](std::string_view part) {
    const auto value = number_in(part);
    if (!value || !std::isfinite(*value) || *value < 0) fail();
    return *value;
  };
  WeightPlan plan;
  const auto parts = split(text, ':');
  if (text == "auto") return plan;
  if (parts[0] == "auto") {
    if (parts.size() != 3) fail();
    plan.values = {number(parts[1]), number(parts[2])};
    if (plan.values[0] <= 0 || plan.values[0] >= plan.values[1]) fail();
  } else if (parts[0] == "linear") {
    plan.kind = WeightPlan::Kind::linear;
    if (parts.size() < 3 || parts.size() > 4) fail();
    plan.values = {number(parts[1]), number(parts[2])};
    if (parts.size() == 4) plan.share = number(parts[3]);
    if (plan.share <= 0 || plan.share > 1) fail();
  } else if (parts[0] == "list") {
    plan.kind = WeightPlan::Kind::list;
    if (parts.size() < 2 || parts.size() > 3 || (parts.size() == 3 && parts[2] != "cyclic")) fail();
    plan.cyclic = parts.size() == 3;
    for (const auto part : split(parts[1], ',')) plan.values.push_back(number(part));
  } else {
    plan.kind = WeightPlan::Kind::constant;
    if (parts.size() != 1) fail();
    plan.values = {number(text)};
  }
  return plan;
}

double weight_at(const WeightPlan& plan, std::int64_t epoch, std::int64_t epochs) {
  switch (plan.kind) {
    case WeightPlan::Kind::linear: {
      const double length = std::max(1.0, plan.share * static_cast<double>(epochs));
      const double progress = std::min(1.0, static_cast<double>(epoch) / length);
      return plan.values[0] + progress * (plan.values[1] - plan.values[0]);
    }
    case WeightPlan::Kind::list: {
      const auto size = static_cast<std::int64_t>(plan.values.size());
      return plan.values[static_cast<std::size_t>(plan.cyclic ? epoch % size : std::min(epoch, size - 1))];
    }
    default:
      return plan.values.at(0);
  }
}

namespace {

double row_unit(const RewardSpec& spec, double p, std::int64_t classes) {
  const double rho = std::max(0.01, spec.rho);
  switch (spec.normalisation) {
    case Normalisation::paper_mean:
      return 2 * rho * p / mean_over(spec, classes);
    case Normalisation::none:
      return 2 * rho * p;
    case Normalisation::docre_count:
      return rho * p;
    case Normalisation::image_means:
      return 2 * p / (p + 1);
  }
  return 1;
}

}  // namespace

double weight_unit(const RewardSpec& spec, double positives, std::int64_t classes) {
  const double p = std::max(1.0, positives);
  const double unit = row_unit(spec, p, classes);
  // An annotation is worth w over those of the whole batch instead of w over those of its row.
  return spec.global == GlobalReward::batch_recall ? unit * std::max(positives, 1e-6) / p : unit;
}

std::vector<double> weight_candidates(const WeightPlan& plan, double unit, std::int64_t count) {
  const bool given = !plan.values.empty();
  const double steps = static_cast<double>(std::max<std::int64_t>(1, count - 1));
  const double factor = given ? std::pow(plan.values[1] / plan.values[0], 1 / steps) : 2;
  std::vector<double> values{given ? plan.values[0] : 2 * unit};
  while (static_cast<std::int64_t>(values.size()) < count) values.push_back(values.back() * factor);
  return values;
}

}  // namespace mlpac
