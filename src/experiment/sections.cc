#include "experiment/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/python_text.h"
#include "experiment/section_charts.h"

namespace mlpac {

std::string share_text(const Json& ratio) {
  return ratio.is_number() ? fmt::format("{:.0f} %", 100 * ratio.get<double>()) : "all labels";
}

std::string axis_text(const std::string& axis, const Json& value) {
  if (axis == "ratio") return share_text(value);
  return value.is_null() ? "–" : python_str(value);
}

std::string spread_text(const std::optional<Spread>& spread, int digits) {
  if (!spread) return "–";
  const auto deviation = spread->deviation ? fmt::format("{:.{}f}", *spread->deviation, digits) : "–";
  return fmt::format("{:.{}f} ({})", spread->mean, digits, deviation);
}

std::string difference_text(const std::optional<Interval>& difference) {
  if (!difference) return "–";
  auto text = fmt::format("{:+.1f}", difference->mean);
  if (difference->half) text += fmt::format(" ± {:.1f}", *difference->half);
  if (!difference->excludes_zero()) return text;
  return fmt::format("**{}** {}", text, difference->mean > 0 ? "▲" : "▼");
}

std::string weights_text(const Entry& entry) {
  std::string text;
  bool any = false;
  for (const auto* const record : entry.records) {
    const auto w = record->value("selection", Json::object()).value("w", Json());
    any = any || w.is_number();
    text += (text.empty() ? "" : ", ") + (w.is_number() ? fmt::format("{:.3g}", w.get<double>()) : std::string("–"));
  }
  return any ? text : "–";
}

namespace {

std::string shown_metric(const std::string& metric) {
  static const std::map<std::string, std::string> names{
      {"precision", "P"},        {"recall", "R"},        {"f1", "F1"},        {"map", "mAP"},
      {"critic.precision", "P"}, {"critic.recall", "R"}, {"critic.f1", "F1"}, {"critic.map", "mAP"},
      {"uncut.precision", "P"},  {"uncut.recall", "R"},  {"uncut.f1", "F1"}};
  const auto found = names.find(metric);
  return found == names.end() ? metric : found->second;
}

std::string axis_head(const std::string& axis) { return axis == "ratio" ? "annotated" : axis; }

/// Mean (standard deviation); empty where nothing is planned.
std::string measured(const Entry* entry, const std::string& metric, std::string_view absent = "missing") {
  if (entry == nullptr) return "";
  const auto found = entry->summary(metric);
  return found ? spread_text(found) : std::string(absent);
}

std::string printed(const std::optional<double>& value) { return value ? fmt::format("{:.1f}", *value) : ""; }

std::vector<std::string> names_in(const Json& section, const char* field, std::vector<std::string> fallback) {
  return section.contains(field) ? section.at(field).get<std::vector<std::string>>() : std::move(fallback);
}

std::vector<Json> distinct(const std::vector<const Entry*>& entries, const std::string& axis) {
  std::vector<Json> values;
  for (const auto* const entry : entries) {
    const auto& value = entry->values.at(axis);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

/// The methods that are best but for upper bounds; two that differ by less than the table tells both are.
std::set<std::string> best_of(const std::vector<std::pair<std::string, const Entry*>>& entries,
                              const std::string& metric, const Json& bounds) {
  std::map<std::string, double> means;
  for (const auto& [method, entry] : entries) {
    const bool bound = std::find(bounds.begin(), bounds.end(), Json(method)) != bounds.end();
    const auto mean = entry == nullptr ? std::nullopt : entry->mean(metric);
    if (mean && !bound) means[method] = rounded(*mean, 1);
  }
  std::set<std::string> best;
  double highest = -1e300;
  for (const auto& [method, mean] : means) highest = std::max(highest, mean);
  for (const auto& [method, mean] : means) {
    if (mean == highest) best.insert(method);
  }
  return best;
}

/// A row per ratio, a column per method, the paper's value behind it.
ReportSection compare(const Json& section, const Results& results, const Paper& paper) {
  const auto axis = section.value("rows", std::string("ratio"));
  const auto metric = section.value("metric", std::string("f1"));
  const auto entries = results.select(section.at("where"));
  const auto methods = distinct(entries, "method");
  ReportSection made;
  made.table.head.push_back(axis_head(axis));
  std::set<std::string> known;
  for (const auto* const entry : entries) {
    if (paper.value(entry->values, metric)) known.insert(python_str(entry->values.at("method")));
  }
  for (const auto& method : methods) {
    made.table.head.push_back(python_str(method));
    if (known.contains(python_str(method))) made.table.head.emplace_back("paper");
  }
  for (const auto& value : distinct(entries, axis)) {
    std::vector<std::pair<std::string, const Entry*>> found;
    for (const auto& method : methods) {
      const auto is_it = [&](const Entry* e) {
        return e->values.at(axis) == value && e->values.at("method") == method;
      };
      const auto at = std::find_if(entries.begin(), entries.end(), is_it);
      found.emplace_back(python_str(method), at == entries.end() ? nullptr : *at);
    }
    const auto best = best_of(found, metric, results.plan().bounds());
    std::vector<std::string> row{axis_text(axis, value)};
    for (const auto& [method, entry] : found) {
      const auto text = measured(entry, metric, "–");
      row.push_back(best.contains(method) ? fmt::format("**{}**", text) : text);
      if (known.contains(method)) row.push_back(entry == nullptr ? "" : printed(paper.value(entry->values, metric)));
    }
    made.table.rows.push_back(std::move(row));
  }
  made.charts.push_back(axis_chart(entries, axis, metric, shown_metric(metric), paper));
  return made;
}

/// A row per cell: every metric beside the paper's, the chosen w, seconds.
ReportSection details(const Json& section, const Results& results, const Paper& paper) {
  const auto axes = names_in(section, "rows", {"method", "ratio"});
  const auto metrics = names_in(section, "metrics", {"precision", "recall", "f1"});
  const auto entries = results.select(section.at("where"));
  bool known = false;
  for (const auto* const entry : entries) {
    for (const auto& metric : metrics) known = known || paper.value(entry->values, metric).has_value();
  }
  known = known && section.value("paper", true);
  ReportSection made;
  for (const auto& axis : axes) made.table.head.push_back(axis_head(axis));
  for (const auto& metric : metrics) {
    made.table.head.push_back(shown_metric(metric));
    if (known) made.table.head.emplace_back("paper");
  }
  if (known) made.table.head.emplace_back("difference");
  made.table.head.emplace_back("w");
  made.table.head.emplace_back("seconds");
  for (const auto* const entry : entries) {
    std::vector<std::string> row;
    row.reserve(made.table.head.size());
    for (const auto& axis : axes) row.push_back(axis_text(axis, entry->values.at(axis)));
    for (const auto& metric : metrics) {
      row.push_back(measured(entry, metric));
      if (known) row.push_back(printed(paper.value(entry->values, metric)));
    }
    if (known) {
      const auto theirs = paper.value(entry->values, metrics.back());
      const auto ours = entry->mean(metrics.back());
      row.push_back(ours && theirs ? fmt::format("{:+.1f}", *ours - *theirs) : "");
    }
    const auto took = entry->seconds();
    row.push_back(weights_text(*entry));
    row.push_back(took ? fmt::format("{:.1f}", took->mean) : "–");
    made.table.rows.push_back(std::move(row));
  }
  if (std::find(axes.begin(), axes.end(), "ratio") != axes.end()) {
    for (const auto& metric : metrics) {
      if (metric != "f1") made.charts.push_back(axis_chart(entries, "ratio", metric, shown_metric(metric), paper));
    }
  }
  return made;
}

/// One method minus the others, over the seeds that both have.
ReportSection differences(const Json& section, const Results& results, const Paper& /*paper*/) {
  const auto axes = names_in(section, "rows", {"ratio"});
  const ComparedMetrics metric(section);
  Json where = section.at("where");
  where["method"] = section.at("method");
  ReportSection made;
  for (const auto& axis : axes) made.table.head.push_back(axis_head(axis));
  for (const auto& other : section.at("others")) made.table.head.push_back(other.get<std::string>());
  for (const auto* const entry : results.select(where)) {
    std::vector<std::string> row;
    row.reserve(made.table.head.size());
    for (const auto& axis : axes) row.push_back(axis_text(axis, entry->values.at(axis)));
    for (const auto& other : section.at("others")) {
      Json values = entry->values;
      values["method"] = other;
      const auto* const opponent = results.find(values);
      row.push_back(opponent == nullptr ? ""
                                        : difference_text(entry->difference(*opponent, metric.own, metric.others)));
    }
    made.table.rows.push_back(std::move(row));
  }
  return made;
}

/// A row per way to change a cell, and its difference from the unchanged one, for several values of an axis.
ReportSection contrast(const Json& section, const Results& results, const Paper& paper) {
  const auto axis = section.value("columns", std::string("ratio"));
  const auto& where = section.at("where");
  const auto columns = where.contains(axis) ? listed(where.at(axis)) : std::vector<Json>{Json()};
  const auto at = [&](const Json& column, const Json& change) {
    Json values = where;
    values[axis] = column;
    values.update(change);
    return results.find(values);
  };
  bool known = false;
  for (const auto& [name, change] : section.at("rows").items()) {
    for (const auto& column : columns) {
      const auto* const entry = at(column, change);
      known = known || (entry != nullptr && !change.empty() && paper.value(entry->values, "f1"));
    }
  }
  ReportSection made;
  made.table.head.emplace_back("");
  for (const auto& column : columns) {
    for (const std::string_view text : {"F1", "paper", "P", "R", "difference"}) {
      if (text == "paper" && !known) continue;
      made.table.head.push_back(fmt::format("{}: {}", axis_text(axis, column), text));
    }
  }
  Chart chart{section.value("title", std::string()), "", "F1", {}, {}, {}, false};
  for (const auto& column : columns) chart.series.push_back({axis_text(axis, column), {}, {}, {}, false, -1});
  for (const auto& [name, change] : section.at("rows").items()) {
    std::vector<std::string> row{name};
    chart.categories.push_back(name);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto* const entry = at(columns[c], change);
      const auto* const reference = at(columns[c], Json::object());
      row.push_back(measured(entry, "f1"));
      if (known) row.push_back(entry == nullptr ? "" : printed(paper.value(entry->values, "f1")));
      row.push_back(measured(entry, "precision"));
      row.push_back(measured(entry, "recall"));
      const bool compares = entry != nullptr && reference != nullptr && !change.empty();
      row.push_back(compares ? difference_text(entry->difference(*reference)) : "");
      add_bar(chart.series[c], entry == nullptr ? std::nullopt : entry->summary("f1"));
    }
    made.table.rows.push_back(std::move(row));
  }
  made.charts.push_back(std::move(chart));
  return made;
}

ReportSection asked(const Json& section, const Results& results, const Paper& paper) {
  ReportSection made;
  made.table = asked_table(section, results, paper);
  return made;
}

/// What epochs were like, for cells whose epochs are kept (`curves` of the plan).
ReportSection curves(const Json& section, const Results& results, const Paper& /*paper*/) {
  const auto names = names_in(section, "values", {"local_reward", "global_reward", "policy_loss", "critic_loss"});
  const auto axes = names_in(section, "rows", {"method", "ratio"});
  const auto entries = results.select(section.at("where"));
  ReportSection made;
  for (const auto& axis : axes) made.table.head.push_back(axis_head(axis));
  made.table.head.emplace_back("epochs");
  for (const auto& name : names) made.table.head.push_back(fmt::format("{}: first → last", name));
  for (const auto* const entry : entries) {
    std::vector<std::string> row;
    row.reserve(made.table.head.size());
    for (const auto& axis : axes) row.push_back(axis_text(axis, entry->values.at(axis)));
    const auto kept = entry->records.empty() ? Json() : entry->records.front()->value("epochs", Json());
    row.push_back(kept.is_object() ? fmt::format("{}", kept.value("epoch", Json::array()).size()) : "missing");
    for (const auto& name : names) {
      const auto [first, last] = ends_of(kept, name);
      row.push_back(first && last ? fmt::format("{:.3g} → {:.3g}", *first, *last) : "–");
    }
    made.table.rows.push_back(std::move(row));
  }
  for (const auto& name : names) made.charts.push_back(curve_chart(entries, axes, name));
  return made;
}

struct Kind {
  std::string_view name;
  ReportSection (*make)(const Json& section, const Results& results, const Paper& paper);
};
constexpr std::array<Kind, 6> kKinds{{{"asked", asked},
                                      {"compare", compare},
                                      {"details", details},
                                      {"differences", differences},
                                      {"contrast", contrast},
                                      {"curves", curves}}};

}  // namespace

namespace {

ReportSection made_of(const Json& section, const Results& results, const Paper& paper) {
  const auto kind = section.value("kind", std::string());
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.name == kind; });
  if (found == kKinds.end()) {
    std::string known;
    for (const auto& own : kKinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", own.name);
    results.plan().fail(fmt::format("report: unknown kind '{}'; expected {}", kind, known));
  }
  auto made = found->make(section, results, paper);
  made.title = section.at("title").get<std::string>();
  made.text = joined_text(section.value("text", Json("")));
  made.table.title = made.title;
  for (auto& chart : made.charts) {
    if (chart.title.empty()) chart.title = made.title;
  }
  return made;
}

}  // namespace

ReportSection make_section(const Json& section, const Results& results, const Paper& paper) {
  try {
    return made_of(section, results, paper);
  } catch (const Json::exception& error) {
    const auto text = section.dump();
    results.plan().fail(fmt::format("report: {}…: {}", text.substr(0, 80), error.what()));
  }
}

}  // namespace mlpac
