// Calibration by a logistic function with a ceiling: of the surest entries not all are annotated, but only the share e.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/prior.h"
#include "mlpac/suggestions.h"

namespace mlpac {

namespace {

std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Slope and offset of a line, drawn to a mean with given deviations; infinite ones do not draw.
struct LinePrior {
  std::array<double, 2> mean{1, 0};
  std::array<double, 2> precision{0, 0};  ///< one over the variance
};

using Line = std::array<double, 2>;

double log_posterior(const ScoreCurve& curve, double ceiling, const Line& line, const LinePrior& prior) {
  double sum = 0;
  for (std::size_t bin = 0; bin < curve.entries.size(); ++bin) {
    if (curve.entries[bin] == 0) continue;
    const double share =
        std::clamp(ceiling * logistic(line[0] * ScoreCurve::centre_of(bin) + line[1]), 1e-12, 1 - 1e-12);
    const auto annotated = static_cast<double>(curve.annotated[bin]);
    sum += annotated * std::log(share) + (static_cast<double>(curve.entries[bin]) - annotated) * std::log1p(-share);
  }
  for (std::size_t i = 0; i < 2; ++i)
    sum -= 0.5 * prior.precision[i] * (line[i] - prior.mean[i]) * (line[i] - prior.mean[i]);
  return sum;
}

/// Maximises the above by Fisher scoring; steps are halved until they climb.
Line climb(const ScoreCurve& curve, double ceiling, const LinePrior& prior, Line line) {
  double best = log_posterior(curve, ceiling, line, prior);
  for (int round = 0; round < 60; ++round) {
    std::array<double, 2> gradient{};
    std::array<double, 3> information{};  // of slope, of both, of offset
    for (std::size_t bin = 0; bin < curve.entries.size(); ++bin) {
      if (curve.entries[bin] == 0) continue;
      const double z = ScoreCurve::centre_of(bin);
      const double s = logistic(line[0] * z + line[1]);
      const double share = std::clamp(ceiling * s, 1e-12, 1 - 1e-12);
      const double slope = ceiling * s * (1 - s);  // of the share in the line
      const double variance = share * (1 - share);
      const auto entries = static_cast<double>(curve.entries[bin]);
      const double score = (static_cast<double>(curve.annotated[bin]) - entries * share) * slope / variance;
      const double weight = entries * slope * slope / variance;
      gradient[0] += score * z;
      gradient[1] += score;
      information[0] += weight * z * z;
      information[1] += weight * z;
      information[2] += weight;
    }
    for (std::size_t i = 0; i < 2; ++i) gradient[i] -= prior.precision[i] * (line[i] - prior.mean[i]);
    information[0] += prior.precision[0] + 1e-9;
    information[2] += prior.precision[1] + 1e-9;
    const double determinant = information[0] * information[2] - information[1] * information[1];
    if (!(determinant > 0)) break;
    const Line step{(information[2] * gradient[0] - information[1] * gradient[1]) / determinant,
                    (information[0] * gradient[1] - information[1] * gradient[0]) / determinant};
    bool climbed = false;
    for (double length = 1; length > 1e-4 && !climbed; length /= 2) {
      const Line next{std::max(0.0, line[0] + length * step[0]), line[1] + length * step[1]};
      if (const double value = log_posterior(curve, ceiling, next, prior); value > best + 1e-9) {
        climbed = true;
        best = value;
        line = next;
      }
    }
    if (!climbed) break;
  }
  return line;
}

/// The line with the largest posterior. Where a line says 0 or 1 of all entries there is no gradient, so that the one
/// to begin with may lead nowhere: a flat one at the mean share is tried, too.
Line fit_line(const ScoreCurve& curve, double ceiling, const LinePrior& prior, Line line) {
  const auto entries = static_cast<double>(sum_of(curve.entries));
  if (entries == 0) return line;
  const double share = std::clamp(static_cast<double>(sum_of(curve.annotated)) / entries / ceiling, 1e-6, 0.999);
  const auto near = climb(curve, ceiling, prior, line);
  const auto flat = climb(curve, ceiling, prior, {0, std::log(share / (1 - share))});
  return log_posterior(curve, ceiling, flat, prior) > log_posterior(curve, ceiling, near, prior) ? flat : near;
}

/// Highest share of positives that any log-odds stand for: also the surest entries are sometimes wrong.
constexpr double kSurest = 0.97;

/// Of the surest entries, as many as a fifth of the annotations, about 95 % are positive; so many of them as are
/// annotated, so many positives are.
double annotated_of_surest(const ScoreCurve& curve) {
  constexpr double kPrecision = 0.95;
  const auto wanted = std::max<std::int64_t>(200, sum_of(curve.annotated) / 5);
  std::int64_t entries = 0;
  std::int64_t annotated = 0;
  for (std::size_t bin = curve.entries.size(); bin-- > 0 && entries < wanted;) {
    entries += curve.entries[bin];
    annotated += curve.annotated[bin];
  }
  return static_cast<double>(annotated) / static_cast<double>(std::max<std::int64_t>(entries, 1)) / kPrecision;
}

/// The ceiling with the largest likelihood.
double likeliest_annotated(const ScoreCurve& curve, double least) {
  constexpr int kSteps = 40;
  double best = 1;
  double best_value = -std::numeric_limits<double>::infinity();
  Line line{1, 0};
  for (int step = 0; step <= kSteps; ++step) {
    // From above: under a low ceiling the line becomes a step, from which no gradient leads back.
    const double ceiling = std::pow(least, static_cast<double>(step) / kSteps);
    line = fit_line(curve, kSurest * ceiling, {}, line);
    const double value = log_posterior(curve, kSurest * ceiling, line, {});
    if (value <= best_value) continue;
    best_value = value;
    best = ceiling;
  }
  return best;
}

/// Entries are annotated at most as often as positives are: the largest share among the surest entries of one curve,
/// less three standard errors, because it is the largest of many.
double annotated_at_least(const ScoreCurve& curve) {
  constexpr double kErrors = 3;
  double entries = 0;
  double annotated = 0;
  double most = 0;
  for (std::size_t bin = curve.entries.size(); bin-- > 0;) {
    entries += static_cast<double>(curve.entries[bin]);
    annotated += static_cast<double>(curve.annotated[bin]);
    if (entries > 0) most = std::max(most, (annotated - kErrors * std::sqrt(annotated)) / entries);
  }
  return most / kSurest;
}

/// Share of the positives that is annotated, and that is at least so large. The surest entries tell it with less
/// assumptions, all entries with less noise: measured on data with known labels, two parts of the former and one of the
/// latter are nearest to the truth.
double annotated_share(const ScoreCurve& curve, double least) {
  const double share = static_cast<double>(sum_of(curve.annotated)) / static_cast<double>(sum_of(curve.entries));
  least = std::clamp(std::max(share, least), 0.01, 1.0);
  const double surest = std::clamp(annotated_of_surest(curve), least, 1.0);
  return std::cbrt(surest * surest * likeliest_annotated(curve, least));
}

}  // namespace

Calibration::Calibration(std::span<const ScoreCurve> classes, double annotated) {
  ScoreCurve all;
  // A label that most entries have, and that the model cannot tell, has the surest entries of all, many of them wrong:
  // without a bound from the labels, e would come out below the share of it that is annotated.
  double least = 0;
  for (const auto& curve : classes) {
    all.add(curve);
    least = std::max(least, annotated_at_least(curve));
  }
  if (sum_of(all.annotated) == 0) throw Error("nothing is annotated: there is nothing to calibrate probabilities by");
  annotated_ = annotated > 0 ? annotated : annotated_share(all, least);
  const double ceiling = kSurest * annotated_;
  const auto common = fit_line(all, ceiling, {}, {1, 0});
  const double slope_deviation = 0.4 * std::max(common[0], 0.1);
  const LinePrior prior{common, {1 / (slope_deviation * slope_deviation), 1}};
  for (const auto& curve : classes) {
    const auto line = fit_line(curve, ceiling, prior, common);
    lines_.push_back({line[0], line[1]});
  }
}

Alignment::Alignment(std::span<const ScoreCurve> models, double annotated) : lines_(models.size()) {
  if (models.size() < 2) return;
  constexpr std::int64_t kFewest = 20;  // annotations a line can be drawn through
  // A model that has learned little makes the share look smaller than it is, so the largest one counts.
  double share = 0;
  ScoreCurve all;
  for (const auto& curve : models) {
    if (sum_of(curve.annotated) < kFewest) continue;
    share = annotated > 0 ? annotated : std::max(share, annotated_share(curve, annotated_at_least(curve)));
    all.add(curve);
  }
  if (share == 0) return;
  const auto common = fit_line(all, kSurest * share, {}, {1, 0});
  for (std::size_t m = 0; m < models.size(); ++m) {
    const bool enough = sum_of(models[m].annotated) >= kFewest;
    const auto line = enough ? fit_line(models[m], kSurest * share, {}, common) : common;
    lines_[m] = {line[0], line[1]};
  }
}

std::vector<double> confident_thresholds(std::span<const ScoreCurve> classes) {
  std::vector<double> thresholds;
  for (const auto& curve : classes) {
    double sum = 0;
    for (std::size_t bin = 0; bin < curve.annotated.size(); ++bin) {
      sum += static_cast<double>(curve.annotated[bin]) * logistic(ScoreCurve::centre_of(bin));
    }
    const auto annotations = sum_of(curve.annotated);
    thresholds.push_back(annotations == 0 ? 1 : sum / static_cast<double>(annotations));
  }
  return thresholds;
}

double Calibration::positive(std::size_t label, double log_odds) const {
  const auto& line = lines_.at(label);
  return kSurest * logistic(line.slope * log_odds + line.offset);
}

double Calibration::probability(std::size_t label, double log_odds) const {
  const double s = positive(label, log_odds);
  return (1 - annotated_) * s / (1 - annotated_ * s);
}

}  // namespace mlpac
