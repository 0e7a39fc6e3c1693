#include "report/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/log.h"
#include "mlpac/error.h"
#include "report/page.h"
#include "report/run_charts.h"

namespace mlpac {
namespace {

std::string fixed(double value, int digits = 1) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string option_text(const RunData& run, const std::string& name) {
  const auto found = run.options.find(name);
  if (found == run.options.end()) return "–";
  return found->second.is_string() ? found->second.get<std::string>() : found->second.dump();
}

std::string significant(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–"; }

std::string selected(const RunData& run) {
  if (!run.result.is_object()) return fmt::format("unfinished after {} epochs", run.epochs.size());
  const auto& selection = run.result.at("selection");
  return fmt::format("{} epoch {}", selection.value("phase", std::string("–")),
                     significant(run.number("/selection/epoch")));
}

std::string rule(const RunData& run) {
  return run.result.is_object() ? run.result.at("selection").value("rule", std::string("–")) : "–";
}

TextTable summary_table(const std::vector<RunData>& runs) {
  TextTable table{"Test labels, in percent",
                  {"run", "method", "annotated", "P", "R", "F1", "macro-F1", "mAP", "critic F1", "selected", "by",
                   "score", "w", "threshold", "seconds", "MB"},
                  {}};
  for (const auto& run : runs) {
    const double ratio = run.number("/ratio");
    table.rows.push_back(
        {run.name, option_text(run, "method"), std::isfinite(ratio) ? fmt::format("{:.0f} %", 100 * ratio) : "as given",
         fixed(run.number("/test/precision")), fixed(run.number("/test/recall")), fixed(run.number("/test/f1")),
         fixed(run.number("/test/macro_f1")), fixed(run.number("/test/map")), fixed(run.number("/critic/f1")),
         selected(run), rule(run), significant(run.number("/selection/score")), significant(run.number("/selection/w")),
         significant(run.number("/selection/threshold")), fixed(run.number("/seconds/total")),
         fixed(run.number("/peak_memory_mb"), 0)});
  }
  return table;
}

TextTable option_table_of(const std::vector<RunData>& runs) {
  TextTable table{
      runs.size() == 1 ? "Options that are not the program's defaults" : "Options that differ", {"option"}, {}};
  for (const auto& run : runs) table.head.push_back(run.name);
  for (const auto& name : telling_options(runs)) {
    std::vector<std::string> row{fmt::format("`{}`", name)};
    for (const auto& run : runs) row.push_back(option_text(run, name));
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable class_table(const RunData& run) {
  TextTable table{
      fmt::format("Classes of {} on the test data", run.name), {"label", "positives", "P", "R", "F1", "AP"}, {}};
  if (!run.result.is_object() || !run.result.contains("classes")) return table;
  for (const auto& line : run.result.at("classes")) {
    const auto number = [&](const char* name) { return fixed(number_in_epoch(line, name)); };
    table.rows.push_back({line.value("label", std::string()), fixed(number_in_epoch(line, "positives"), 0),
                          number("precision"), number("recall"), number("f1"), number("ap")});
  }
  return table;
}

bool any(const std::vector<Chart>& charts) {
  return std::any_of(charts.begin(), charts.end(), [](const Chart& chart) {
    return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
      return std::any_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); });
    });
  });
}

void add_section(Page& page, std::string_view title, std::string_view text, const std::vector<Chart>& charts) {
  if (!any(charts)) return;
  page.section(title, text);
  page.charts(charts);
}

void add_figures(Page& page, const RunData& run) {
  std::vector<std::pair<std::string, std::string>> figures;
  if (std::isfinite(run.number("/test/f1"))) {
    figures = {{"F1", fixed(run.number("/test/f1"))},
               {"precision", fixed(run.number("/test/precision"))},
               {"recall", fixed(run.number("/test/recall"))},
               {"mAP", fixed(run.number("/test/map"))}};
  }
  figures.emplace_back("selected", selected(run));
  if (std::isfinite(run.number("/selection/w"))) figures.emplace_back("w", significant(run.number("/selection/w")));
  if (const double seconds = run.number("/seconds/total"); std::isfinite(seconds)) {
    figures.emplace_back("time", format_seconds(seconds));
  }
  page.figures(figures);
}

}  // namespace

namespace {

std::string make_page(const std::vector<RunData>& runs) {
  const auto& first = runs.front();
  const auto about = [](const RunData& run) {
    return fmt::format("`{}` on the task {}, data `{}`, seed {}", option_text(run, "method"), option_text(run, "task"),
                       option_text(run, "train"), option_text(run, "seed"));
  };
  Page page(runs.size() == 1 ? first.name : fmt::format("{} runs", runs.size()),
            runs.size() == 1 ? about(first) + "." : "Beside each other: what was tested, learned and set.");
  page.section("Result",
               runs.size() == 1 ? "Precision, recall and F1 over all entries of the test labels, in percent." : "");
  if (runs.size() == 1) add_figures(page, first);
  page.table(summary_table(runs));
  add_section(
      page, "Over epochs",
      "Of the rows that were set aside to select on, for the candidate that leads. Where labels were hidden the "
      "complete ones are known: they are shown here and never used to select.",
      quality_charts(runs));
  add_section(page, "Rewards and losses", "", objective_charts(runs));
  add_section(page, "Enhanced labels",
              "Labels that policy and critic find together and the critic learns from. Their precision is known where "
              "labels were hidden.",
              enhancement_charts(runs));
  add_section(page, "The choice of w",
              "Policies with different weights of the global reward, trained side by side; the score of the rows set "
              "aside decides.",
              weight_charts(runs));
  if (const auto charts = class_charts(runs); any(charts)) {
    page.section("Classes");
    page.charts(charts);
    for (const auto& run : runs) {
      if (const auto table = class_table(run); !table.rows.empty()) page.table(table);
    }
  }
  if (runs.size() > 1) add_section(page, "Time and memory", "", cost_charts(runs));
  if (const auto options = option_table_of(runs); !options.rows.empty()) {
    page.section("Options");
    page.table(options);
  }
  return page.html();
}

}  // namespace

std::string run_page(const std::vector<RunData>& runs) {
  try {
    return make_page(runs);
  } catch (const nlohmann::json::exception& error) {  // valid JSON, but not what training writes
    std::string names;
    for (const auto& run : runs) names += (names.empty() ? "" : ", ") + run.name;
    throw Error(fmt::format("{}: metrics.jsonl or result.json is damaged: {}", names, error.what()));
  }
}

}  // namespace mlpac
