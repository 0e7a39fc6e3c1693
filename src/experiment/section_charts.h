// Charts of a report's sections.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/paper.h"
#include "experiment/results.h"
#include "report/page.h"

namespace mlpac {

/// A metric versus a numeric axis (shares of annotations in percent): a line per method, the paper's behind it.
Chart axis_chart(const std::vector<const Entry*>& entries, const std::string& axis, const std::string& metric,
                 const std::string& shown, const Paper& paper);

/// A value of epochs: a line per entry, of its first seed.
Chart curve_chart(const std::vector<const Entry*>& entries, const std::vector<std::string>& axes,
                  const std::string& name);

/// The first and the last number of a value of epochs.
std::pair<std::optional<double>, std::optional<double>> ends_of(const Json& epochs, const std::string& name);

void add_bar(Series& series, const std::optional<Spread>& value);

}  // namespace mlpac
