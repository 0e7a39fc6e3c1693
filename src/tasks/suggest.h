// Labels that are probably missing, of data scored by models that were not trained on it.
#pragma once

#include <string>
#include <vector>

#include "mlpac/suggestions.h"
#include "suggest/reliability.h"
#include "tasks/scoring.h"

namespace mlpac {

struct Suggested {
  std::vector<Suggestion> ranked;
  bool calibrated = true;  ///< their probabilities are; other rankings have values of their own there
  double annotated = 1;    ///< estimated share of the positives that is annotated
  double missing = 0;      ///< estimated number of unknown entries that are positive
  std::vector<ReliabilityBin> reliability;
};

/// Ranks the unknown entries as the options say (rank, limit, per-label, ...).
Suggested suggest(const Scoring& scoring, const Options& options);

/// The header and the suggestions in CSV, or JSON lines; `first` is the rank of the first one.
std::string suggestion_header(bool csv);
std::string suggestion_text(std::span<const Suggestion> suggestions, std::size_t first, const Scoring& scoring,
                            bool csv);

}  // namespace mlpac
