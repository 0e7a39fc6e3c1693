#include "experiment/experiment_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/process.h"
#include "core/wrap.h"
#include "experiment/paper.h"
#include "experiment/place.h"
#include "experiment/python_text.h"
#include "experiment/sections.h"
#include "report/page.h"

namespace mlpac {
namespace {

std::string paragraph(const std::string& text) {
  constexpr std::size_t kWidth = 120;
  std::string result;
  for (const auto& line : wrap(text, kWidth)) result += line + '\n';
  return result.empty() ? result : result + '\n';
}

std::string today() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::string counted_field(const std::vector<const Json*>& records, const std::string& name) {
  std::vector<std::string> values;
  values.reserve(records.size());
  for (const auto* const record : records) values.push_back(python_str(record->value(name, Json("unknown"))));
  return counted(std::move(values));
}

/// Where the numbers come from.
std::string origin(const Results& results, const std::string& commit, const std::string& command) {
  auto text = fmt::format("Written by `{}` at commit {}, {}.", command, commit, today());
  const auto records = results.records();
  if (records.empty()) return text;
  std::vector<std::string> machines;
  machines.reserve(records.size());
  for (const auto* const record : records) machines.push_back(machine_text(record->value("machine", Json::object())));
  const auto data = counted_field(records, "data");
  text +=
      fmt::format(" {} runs, made at commit {} by version {} (SHA-256 of the program: {}) on {}; {}runs at a time: {}.",
                  records.size(), counted_field(records, "commit"), counted_field(records, "version"),
                  counted_field(records, "binary"), counted(std::move(machines)),
                  data.empty() ? "" : fmt::format("data: {}; ", data), counted_field(records, "jobs"));
  return text;
}

/// How much of every group is there; the names would be a long list.
TextTable group_table(const Results& results, const FailureFile& failures) {
  const auto& plan = results.plan();
  std::set<std::string> found;
  for (const auto* const record : results.records()) found.insert(plan.cell_name(*record));
  std::vector<std::string> groups;
  for (const auto& cell : plan.cells()) {
    for (const auto& group : cell.groups) {
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    }
  }
  TextTable table{"Cells", {"group", "cells", ""}, {}};
  for (const auto& group : groups) {
    std::size_t all = 0;
    std::size_t missing = 0;
    std::size_t failed = 0;
    for (const auto& cell : plan.cells()) {
      if (std::find(cell.groups.begin(), cell.groups.end(), group) == cell.groups.end()) continue;
      ++all;
      if (found.contains(cell.name)) continue;
      ++missing;
      if (failures.error(cell.name, cell.options)) ++failed;
    }
    auto state = missing == 0 ? std::string("all measured") : fmt::format("{} missing", missing);
    if (failed > 0) state += fmt::format(", {} of them failed", failed);
    table.rows.push_back({group.empty() ? "–" : group, fmt::format("{}", all), state});
  }
  return table;
}

TextTable failure_table(const Results& results, const FailureFile& failures) {
  TextTable table{"Cells that failed", {"cell", "why"}, {}};
  std::set<std::string> found;
  for (const auto* const record : results.records()) found.insert(results.plan().cell_name(*record));
  for (const auto& cell : results.plan().cells()) {
    const auto error = failures.error(cell.name, cell.options);
    if (!error || found.contains(cell.name)) continue;
    auto line = *error;
    std::replace(line.begin(), line.end(), '\n', ' ');
    std::replace(line.begin(), line.end(), '|', '/');
    table.rows.push_back({cell.name, line.substr(0, 300)});
  }
  return table;
}

TextTable time_table(const Results& results) {
  TextTable table{"Time and memory of a run", {"method", "runs", "seconds, mean", "longest", "MB, largest"}, {}};
  std::vector<std::string> methods;
  for (const auto& entry : results.entries()) {
    const auto method = python_str(entry.values.value("method", Json("all")));
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  }
  for (const auto& method : methods) {
    std::vector<double> seconds;
    double memory = 0;
    for (const auto* const record : results.records()) {
      if (python_str(record->value("method", Json("all"))) != method) continue;
      seconds.push_back(record->at("seconds").value("total", 0.0));
      memory = std::max(memory, record->value("memory", 0.0));
    }
    if (seconds.empty()) continue;
    table.rows.push_back({method, fmt::format("{}", seconds.size()), fmt::format("{:.1f}", spread(seconds)->mean),
                          fmt::format("{:.1f}", *std::max_element(seconds.begin(), seconds.end())),
                          memory > 0 ? fmt::format("{:.0f}", memory) : "–"});
  }
  return table;
}

}  // namespace

ExperimentReport experiment_report(const Results& results, const FailureFile& failures, const std::string& commit,
                                   const std::string& command) {
  const auto& plan = results.plan();
  const auto paper = [&] {
    try {
      return Paper(plan);
    } catch (const Json::exception& error) {
      plan.fail(fmt::format("paper: {}", error.what()));
    }
  }();
  const auto from = origin(results, commit, command);
  ExperimentReport report;
  report.json = results.to_json().dump(1) + '\n';
  report.markdown = fmt::format("# {}\n\n{}", plan.title(), paragraph(from));
  std::string note;
  if (const auto extra = extra_options(); !extra.empty()) {
    note = fmt::format("**A trial, not a measurement**: run with additional options, `{}`.", shell_text(extra));
  } else if (plan.scale() == Scale::smoke) {
    note = "**A trial, not a measurement**: synthetic data and small networks, to see that everything works.";
  }
  report.markdown += paragraph(note) + paragraph(plan.text());
  Page page(plan.title(), plan.text());
  bool first = true;
  for (const auto& section : plan.report()) {
    const auto made = make_section(section, results, paper);
    report.markdown += fmt::format("## {}\n\n{}{}\n", made.title, paragraph(made.text), to_markdown(made.table));
    report.csv += to_csv(made.table);
    report.latex += to_latex(made.table) + '\n';
    page.section(made.title, made.text);
    if (first) page.paragraph(note);
    first = false;
    page.charts(made.charts);
    page.table(made.table);
  }
  const auto groups = group_table(results, failures);
  const auto state =
      fmt::format("{} of {} cells are measured; `--list` names them.", results.records().size(), plan.cells().size());
  report.markdown += fmt::format("## Cells\n\n{}\n{}", to_markdown(groups), paragraph(state));
  page.section("Cells and costs", from);
  if (const auto times = time_table(results); !times.rows.empty()) page.table(times);
  page.table(groups);
  if (const auto failed = failure_table(results, failures); !failed.rows.empty()) {
    report.markdown += fmt::format("\n{}", to_markdown(failed));
    page.table(failed);
  }
  while (report.markdown.ends_with("\n\n")) report.markdown.pop_back();
  report.html = page.html();
  return report;
}

void write_report(const ExperimentReport& report, const std::filesystem::path& folder, const std::string& name) {
  create_folder(folder);
  write_file_atomically(folder / (name + ".json"), report.json);
  write_file_atomically(folder / (name + ".csv"), report.csv);
  write_file_atomically(folder / (name + ".tex"), report.latex);
  write_file_atomically(folder / (name + ".html"), report.html);
  write_file_atomically(folder / (name + ".md"), report.markdown);
}

}  // namespace mlpac
