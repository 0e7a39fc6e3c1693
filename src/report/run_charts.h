// Charts of what runs wrote while they were trained and when they were tested.
#pragma once

#include <vector>

#include "report/page.h"
#include "report/run_data.h"

namespace mlpac {

/// Precision, recall and F1 over epochs, and the score that selects.
std::vector<Chart> quality_charts(const std::vector<RunData>& runs);
/// Rewards and losses over epochs.
std::vector<Chart> objective_charts(const std::vector<RunData>& runs);
/// Number and precision of enhanced labels.
std::vector<Chart> enhancement_charts(const std::vector<RunData>& runs);
/// Score versus w where several policies were trained side by side.
std::vector<Chart> weight_charts(const std::vector<RunData>& runs);
/// F1 of classes, or precision, recall and F1 of one run's classes.
std::vector<Chart> class_charts(const std::vector<RunData>& runs);
/// Seconds and memory of whole runs.
std::vector<Chart> cost_charts(const std::vector<RunData>& runs);

/// Values of epochs, by their names in metrics.jsonl and on the page: a line per run and name.
Chart epoch_chart(const std::vector<RunData>& runs, std::string title, std::string y,
                  const std::vector<std::pair<std::string, std::string>>& names);

}  // namespace mlpac
