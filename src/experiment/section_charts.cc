#include "experiment/section_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/python_text.h"
#include "experiment/sections.h"

namespace mlpac {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void add_bar(Series& series, const std::optional<Spread>& value) {
  series.y.push_back(value ? value->mean : kNothing);
  series.error.push_back(value && value->deviation ? *value->deviation : 0);
}

Chart axis_chart(const std::vector<const Entry*>& entries, const std::string& axis, const std::string& metric,
                 const std::string& shown, const Paper& paper) {
  Chart chart;
  chart.title = "";
  chart.x = axis == "ratio" ? "annotated, %" : axis;
  chart.y = shown;
  const double unit = axis == "ratio" ? 100 : 1;
  std::vector<std::string> methods;
  for (const auto* const entry : entries) {
    const auto method = python_str(entry->values.at("method"));
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  }
  std::vector<Series> behind;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    Series ours{methods[m], {}, {}, {}, false, static_cast<int>(m)};
    Series theirs{methods[m] + ", paper", {}, {}, {}, true, static_cast<int>(m)};
    for (const auto* const entry : entries) {
      const auto& value = entry->values.at(axis);
      if (python_str(entry->values.at("method")) != methods[m] || !value.is_number()) continue;
      if (const auto summary = entry->summary(metric)) {
        ours.x.push_back(rounded(unit * value.get<double>(), 6));
        add_bar(ours, summary);
      }
      if (const auto printed = paper.value(entry->values, metric)) {
        theirs.x.push_back(rounded(unit * value.get<double>(), 6));
        theirs.y.push_back(*printed);
      }
    }
    if (!ours.x.empty()) chart.series.push_back(std::move(ours));
    if (!theirs.x.empty()) behind.push_back(std::move(theirs));
  }
  chart.series.insert(chart.series.end(), behind.begin(), behind.end());
  if (!chart.y.empty()) chart.title = shown + " versus " + (axis == "ratio" ? "share of annotations" : axis);
  return chart;
}

Chart curve_chart(const std::vector<const Entry*>& entries, const std::vector<std::string>& axes,
                  const std::string& name) {
  Chart chart;
  chart.title = name;
  std::replace(chart.title.begin(), chart.title.end(), '_', ' ');
  chart.x = "epoch";
  chart.y = chart.title;
  for (const auto* const entry : entries) {
    if (entry->records.empty()) continue;
    const auto kept = entry->records.front()->value("epochs", Json());
    if (!kept.is_object() || !kept.contains(name)) continue;
    Series series;
    for (const auto& axis : axes) {
      series.name += (series.name.empty() ? "" : " ") + axis_text(axis, entry->values.at(axis));
    }
    double x = 0;
    for (const auto& value : kept.at(name)) {
      series.x.push_back(++x);
      series.y.push_back(value.is_number() ? value.get<double>() : kNothing);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::pair<std::optional<double>, std::optional<double>> ends_of(const Json& epochs, const std::string& name) {
  std::optional<double> first;
  std::optional<double> last;
  if (epochs.is_object() && epochs.contains(name)) {
    for (const auto& value : epochs.at(name)) {
      if (!value.is_number()) continue;
      last = value.get<double>();
      if (!first) first = last;
    }
  }
  return {first, last};
}

}  // namespace mlpac
