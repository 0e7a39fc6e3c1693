// Sections of a plan's report: the plan names the kind of a table and which cells it shows (`where`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/paper.h"
#include "experiment/results.h"
#include "report/page.h"
#include "report/table.h"

namespace mlpac {

struct ReportSection {
  std::string title;
  std::string text;
  TextTable table;
  std::vector<Chart> charts;  ///< for the page
};

/// Error that names the plan for a kind or a field that it does not know.
ReportSection make_section(const Json& section, const Results& results, const Paper& paper);

/// What a section or a check compares: `metric` of its method with that of the others, the same unless it says so.
struct ComparedMetrics {
  explicit ComparedMetrics(const Json& section)
      : own(section.value("metric", std::string("f1"))), others(section.value("others-metric", own)) {}
  std::string own;
  std::string others;
};

/// The table of what the plan asks for, with the figures that were measured.
TextTable asked_table(const Json& section, const Results& results, const Paper& paper);

/// Values of tables.
std::string share_text(const Json& ratio);  ///< 10 %, or "all labels"
std::string axis_text(const std::string& axis, const Json& value);
std::string spread_text(const std::optional<Spread>& spread, int digits = 1);  ///< mean (standard deviation)
std::string difference_text(const std::optional<Interval>& difference);
std::string weights_text(const Entry& entry);

}  // namespace mlpac
