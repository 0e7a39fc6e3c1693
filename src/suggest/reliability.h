// How well calibrated probabilities agree with what can be seen, and a drawing of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mlpac/prior.h"
#include "mlpac/suggestions.h"

namespace mlpac {

/// Entries whose calibrated probability of being positive lies in one interval.
struct ReliabilityBin {
  double probability = 0;  ///< their mean
  double observed = 0;     ///< annotated share over the estimated share of positives that is annotated
  double error = 0;        ///< standard error of that
  std::int64_t entries = 0;
  std::optional<double> truth;  ///< share that is positive, in experiments
};

/// Ten intervals from 0 to 1; those without entries are left out. Nobody says which unknown entries are positive, but
/// of those that are, the share e is annotated: of entries with probability p the share e p should be. `positives`: the
/// same curves with everything annotated that is positive; empty if that is not known.
std::vector<ReliabilityBin> reliability(std::span<const ScoreCurve> classes, const Calibration& calibration,
                                        std::span<const ScoreCurve> positives);

nlohmann::json to_json(std::span<const ReliabilityBin> bins);

/// An SVG drawing with the diagonal, on which everything should lie.
std::string reliability_svg(std::span<const ReliabilityBin> bins, const std::string& title);

}  // namespace mlpac
