// What a plan asks for, with the figures that were measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/sections.h"

namespace mlpac {
namespace {

using Row = std::pair<std::string, std::string>;  ///< measured, and whether that is enough

/// Where a cell lies, as text.
std::string place(const Entry& entry,
                  const std::vector<std::string>& axes = {"recipe", "labels", "positive", "ratio"}) {
  std::string text;
  for (const auto& axis : axes) {
    const auto found = entry.values.find(axis);
    if (found == entry.values.end() || found->is_null()) continue;
    text += (text.empty() ? "" : " ") + axis_text(axis, *found);
  }
  return text;
}

std::string verdict(bool holds, std::size_t measured, std::size_t total) {
  if (measured < total) return fmt::format("{}, {} of {} complete", holds ? "so far" : "not reached", measured, total);
  return holds ? "reached" : "not reached";
}

std::size_t complete(const std::vector<const Entry*>& entries) {
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [](const Entry* entry) { return entry->complete(); }));
}

std::string count_text(std::size_t count, std::size_t whole, std::size_t total, std::string_view label,
                       const std::vector<std::string>& where) {
  auto text = fmt::format("{} of {} cells", count, total);
  if (whole < total) text += fmt::format("; {} cells are not complete", total - whole);
  if (!where.empty()) text += fmt::format("; {} {}", label, fmt::join(where, ", "));
  return text;
}

const Row kMissing{"missing", "missing"};

/// Every cell, and their mean, at least the paper's value less (or plus) something.
Row above_paper(const Json& check, const Results& results, const Paper& paper) {
  const auto entries = results.select(check.at("where"));
  const auto metric = check.value("metric", std::string("f1"));
  std::vector<std::pair<double, std::string>> gaps;
  for (const auto* const entry : entries) {
    const auto theirs = paper.value(entry->values, metric);
    const auto ours = entry->mean(metric);
    if (theirs && ours) gaps.emplace_back(*ours - *theirs, place(*entry, {"ratio"}));
  }
  if (gaps.empty()) return kMissing;
  if (check.contains("mean")) {
    const double sum =
        std::accumulate(gaps.begin(), gaps.end(), 0.0, [](double s, const auto& g) { return s + g.first; });
    const double mean = sum / static_cast<double>(gaps.size());
    return {fmt::format("{:+.1f} on average", mean),
            verdict(mean >= check.at("mean").get<double>(), complete(entries), entries.size())};
  }
  const double each = check.at("each").get<double>();
  const auto holding =
      static_cast<std::size_t>(std::count_if(gaps.begin(), gaps.end(), [&](const auto& g) { return g.first >= each; }));
  const auto worst =
      *std::min_element(gaps.begin(), gaps.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return {fmt::format("{} of {}; lowest {:+.1f} at {}", holding, entries.size(), worst.first, worst.second),
          verdict(holding == gaps.size(), complete(entries), entries.size())};
}

struct Opponents {
  const Entry* entry;
  std::vector<std::pair<std::string, const Entry*>> others;
};

/// Every cell of the method with the planned entries of the others there.
std::vector<Opponents> opponents(const Json& check, const Results& results) {
  Json where = check.at("where");
  where["method"] = check.at("method");
  std::vector<Opponents> found;
  for (const auto* const entry : results.select(where)) {
    Opponents own{entry, {}};
    for (const auto& other : check.at("others")) {
      Json values = entry->values;
      values["method"] = other;
      if (const auto* const opponent = results.find(values))
        own.others.emplace_back(other.get<std::string>(), opponent);
    }
    found.push_back(std::move(own));
  }
  return found;
}

/// The mean of a method at least that of every other, on a share of the cells.
Row at_least(const Json& check, const Results& results, const Paper& /*paper*/) {
  const ComparedMetrics metric(check);
  const auto cells = opponents(check, results);
  std::size_t whole = 0;
  std::vector<std::string> below;
  for (const auto& [entry, others] : cells) {
    bool all = entry->complete() && entry->mean(metric.own).has_value();
    for (const auto& [name, other] : others) all = all && other->complete() && other->mean(metric.others).has_value();
    if (!all) continue;
    ++whole;
    const double mine = *entry->mean(metric.own);
    const bool beaten =
        std::any_of(others.begin(), others.end(), [&](const auto& o) { return mine < *o.second->mean(metric.others); });
    if (beaten) below.push_back(place(*entry));
  }
  if (whole == 0) return kMissing;
  const auto count = whole - below.size();
  const bool holds = static_cast<double>(count) >= check.at("share").get<double>() * static_cast<double>(whole);
  return {count_text(count, whole, cells.size(), "below:", below), verdict(holds, whole, cells.size())};
}

/// No other method is better by more than the interval of the difference.
Row nowhere_below(const Json& check, const Results& results, const Paper& /*paper*/) {
  const ComparedMetrics metric(check);
  const auto cells = opponents(check, results);
  std::size_t whole = 0;
  std::vector<std::string> worse;
  for (const auto& [entry, others] : cells) {
    bool all = true;
    std::vector<std::string> better;
    for (const auto& [name, other] : others) {
      const auto difference = entry->difference(*other, metric.own, metric.others);
      all = all && difference.has_value();
      if (difference && difference->excludes_zero() && difference->mean < 0) better.push_back(name);
    }
    whole += all ? 1 : 0;
    if (!better.empty()) worse.push_back(fmt::format("{} ({})", place(*entry), fmt::join(better, ", ")));
  }
  if (whole == 0) return kMissing;
  return {count_text(worse.size(), whole, cells.size(), "these:", worse), verdict(worse.empty(), whole, cells.size())};
}

/// Every cell above a number.
Row above(const Json& check, const Results& results, const Paper& /*paper*/) {
  const auto entries = results.select(check.at("where"));
  const auto metric = check.value("metric", std::string("f1"));
  const double least = check.at("above").get<double>();
  std::vector<std::pair<double, std::string>> means;
  for (const auto* const entry : entries) {
    if (const auto mean = entry->mean(metric)) means.emplace_back(*mean, place(*entry, {"positive", "ratio"}));
  }
  if (means.empty()) return kMissing;
  const auto worst = *std::min_element(means.begin(), means.end());
  const auto count = std::count_if(means.begin(), means.end(), [&](const auto& mean) { return mean.first > least; });
  return {fmt::format("{} of {}; lowest {:.1f}: {}", count, entries.size(), worst.first, worst.second),
          verdict(worst.first > least, complete(entries), entries.size())};
}

struct Check {
  std::string_view name;
  Row (*make)(const Json& check, const Results& results, const Paper& paper);
};
constexpr std::array<Check, 4> kChecks{
    {{"above-paper", above_paper}, {"at-least", at_least}, {"nowhere-below", nowhere_below}, {"above", above}}};

}  // namespace

TextTable asked_table(const Json& section, const Results& results, const Paper& paper) {
  TextTable table{section.value("title", std::string()), {"what", "measured", ""}, {}};
  for (const auto& check : section.at("checks")) {
    const auto name = check.value("check", std::string());
    const auto* const found =
        std::find_if(kChecks.begin(), kChecks.end(), [&](const Check& c) { return c.name == name; });
    if (found == kChecks.end()) {
      std::string known;
      for (const auto& own : kChecks) known += fmt::format("{}{}", known.empty() ? "" : ", ", own.name);
      results.plan().fail(fmt::format("report: unknown check '{}'; expected {}", name, known));
    }
    const auto [measured, state] = found->make(check, results, paper);
    table.rows.push_back({check.at("what").get<std::string>(), measured, state});
  }
  return table;
}

}  // namespace mlpac
