#include "report/run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mlpac {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
using Names = std::vector<std::pair<std::string, std::string>>;

std::string phase_of(const nlohmann::json& epoch) { return epoch.value("phase", std::string("train")); }

/// Epochs are counted over all phases; a phase begins at a mark.
std::vector<ChartMark> phase_marks(const RunData& run) {
  std::vector<ChartMark> marks;
  std::string before = run.epochs.empty() ? "" : phase_of(run.epochs.front());
  for (std::size_t i = 1; i < run.epochs.size(); ++i) {
    if (const auto phase = phase_of(run.epochs[i]); phase != before) {
      marks.push_back({static_cast<double>(i) + 0.5, phase});
      before = phase;
    }
  }
  return marks;
}

Series epoch_series(const RunData& run, const std::string& key, std::string name, std::size_t colour) {
  Series series;
  series.name = std::move(name);
  series.colour = static_cast<int>(colour);
  for (std::size_t i = 0; i < run.epochs.size(); ++i) {
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(number_in_epoch(run.epochs[i], key));
  }
  const bool any = std::any_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); });
  if (!any) series.x.clear(), series.y.clear();
  return series;
}

/// The candidates of the epoch that was selected, or of the last one that has some.
const nlohmann::json* candidates_of(const RunData& run, std::size_t& epoch) {
  const nlohmann::json* found = nullptr;
  const double selected = run.number("/selection/epoch");
  for (std::size_t i = 0; i < run.epochs.size(); ++i) {
    const auto& line = run.epochs[i];
    const auto several = line.find("candidates");
    if (several == line.end() || !several->is_array()) continue;
    // Weights of policies are above 0; pre-training compares weights that are not named.
    const bool weighted =
        std::any_of(several->begin(), several->end(), [](const auto& c) { return c.value("w", 0.0) > 0; });
    if (!weighted) continue;
    if (found != nullptr && number_in_epoch(line, "epoch") > selected) continue;
    found = &*several;
    epoch = i;
  }
  return found;
}

Series weight_series(const nlohmann::json& candidates, std::string name) {
  Series series;
  series.name = std::move(name);
  std::map<double, double> scores;
  for (const auto& candidate : candidates) scores[candidate.value("w", 0.0)] = candidate.value("score", kNothing);
  for (const auto& [w, score] : scores) {
    series.x.push_back(w);
    series.y.push_back(score);
  }
  return series;
}

/// Labels in the order of the first run that has classes.
std::vector<std::string> class_names(const std::vector<RunData>& runs, std::size_t most) {
  std::vector<std::pair<double, std::string>> found;
  for (const auto& run : runs) {
    if (!run.result.is_object() || !run.result.contains("classes")) continue;
    for (const auto& line : run.result.at("classes")) {
      found.emplace_back(-line.value("positives", 0.0), line.value("label", std::string()));
    }
    if (!found.empty()) break;
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) names.push_back(found[i].second);
  return names;
}

Series class_series(const RunData& run, const std::vector<std::string>& names, const std::string& metric,
                    std::string name) {
  std::map<std::string, double> values;
  if (run.result.is_object() && run.result.contains("classes")) {
    for (const auto& line : run.result.at("classes")) {
      values[line.value("label", std::string())] = line.value(metric, kNothing);
    }
  }
  Series series;
  series.name = std::move(name);
  for (const auto& label : names) {
    const auto found = values.find(label);
    series.y.push_back(found == values.end() ? kNothing : found->second);
  }
  return series;
}

}  // namespace

Chart epoch_chart(const std::vector<RunData>& runs, std::string title, std::string y, const Names& names) {
  Chart chart;
  chart.title = std::move(title);
  chart.x = "epoch";
  chart.y = std::move(y);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t n = 0; n < names.size(); ++n) {
      std::string name = runs.size() == 1 ? names[n].second : runs[r].name;
      if (runs.size() > 1 && names.size() > 1) name += fmt::format(": {}", names[n].second);
      auto series = epoch_series(runs[r], names[n].first, std::move(name), runs.size() == 1 ? n : r);
      series.behind = runs.size() > 1 && n > 0;
      if (!series.y.empty()) chart.series.push_back(std::move(series));
    }
  }
  if (runs.size() == 1) chart.marks = phase_marks(runs.front());
  return chart;
}

std::vector<Chart> quality_charts(const std::vector<RunData>& runs) {
  if (runs.size() == 1) {
    return {epoch_chart(runs, "Precision, recall and F1 of the complete labels, rows set aside", "percent",
                        {{"true_precision", "precision"}, {"true_recall", "recall"}, {"true_f1", "F1"}}),
            epoch_chart(runs, "What annotations alone tell, rows set aside", "percent",
                        {{"score", "score that selects"},
                         {"annotated_recall", "recall of annotations"},
                         {"predicted_share", "share of entries that is TRUE"}})};
  }
  return {epoch_chart(runs, "F1 of the complete labels, rows set aside", "percent", {{"true_f1", "F1"}}),
          epoch_chart(runs, "Score that selects", "score", {{"score", "score"}}),
          epoch_chart(runs, "Precision of the complete labels", "percent", {{"true_precision", "precision"}}),
          epoch_chart(runs, "Recall of the complete labels", "percent", {{"true_recall", "recall"}})};
}

std::vector<Chart> objective_charts(const std::vector<RunData>& runs) {
  return {epoch_chart(runs, "Local reward", "reward", {{"local_reward", "local reward"}}),
          epoch_chart(runs, "Global reward", "reward", {{"global_reward", "global reward"}}),
          epoch_chart(runs, "Loss of supervised training", "loss", {{"loss", "loss"}}),
          epoch_chart(runs, "Loss of the policy", "loss", {{"policy_loss", "policy"}}),
          epoch_chart(runs, "Loss of the critic", "loss", {{"critic_loss", "critic"}}),
          epoch_chart(runs, "Seconds passed", "seconds", {{"seconds", "seconds"}})};
}

std::vector<Chart> enhancement_charts(const std::vector<RunData>& runs) {
  return {epoch_chart(runs, "Enhanced labels", "labels", {{"enhanced", "enhanced labels"}}),
          epoch_chart(runs, "Precision of the enhanced labels", "percent", {{"enhanced_precision", "precision"}})};
}

std::vector<Chart> weight_charts(const std::vector<RunData>& runs) {
  Chart chart;
  chart.title = "Score versus w";
  chart.x = "w";
  chart.y = "score";
  chart.logarithmic = true;
  for (const auto& run : runs) {
    std::size_t epoch = 0;
    const auto* const candidates = candidates_of(run, epoch);
    if (candidates == nullptr) continue;
    if (runs.size() == 1) {
      std::size_t first = epoch;
      while (first > 0 && run.epochs[first - 1].contains("candidates") &&
             phase_of(run.epochs[first - 1]) == phase_of(run.epochs[epoch])) {
        --first;
      }
      if (first != epoch) {
        auto before = weight_series(run.epochs[first].at("candidates"), "first epoch");
        before.behind = true;
        chart.series.push_back(std::move(before));
      }
    }
    const auto number = number_in_epoch(run.epochs[epoch], "epoch");
    chart.series.push_back(weight_series(
        *candidates, runs.size() == 1 ? fmt::format("{} epoch {}", phase_of(run.epochs[epoch]), number) : run.name));
    if (const double w = run.number("/selection/w"); runs.size() == 1 && w > 0) {
      chart.marks.push_back({w, "selected"});
    }
  }
  return {chart};
}

std::vector<Chart> class_charts(const std::vector<RunData>& runs) {
  constexpr std::size_t kMost = 40;
  Chart chart;
  chart.title = runs.size() == 1 ? "Classes, the most frequent first" : "F1 of classes, the most frequent first";
  chart.y = "percent";
  chart.categories = class_names(runs, kMost);
  if (chart.categories.empty()) return {};
  if (runs.size() == 1) {
    for (const auto& [metric, name] : Names{{"precision", "precision"}, {"recall", "recall"}, {"f1", "F1"}}) {
      chart.series.push_back(class_series(runs.front(), chart.categories, metric, name));
    }
  } else {
    for (const auto& run : runs) chart.series.push_back(class_series(run, chart.categories, "f1", run.name));
  }
  // How unevenly labels are spread: the first of these is often a hundred times the last.
  Chart counts;
  counts.title = "Positives of classes in the test data, the most frequent first";
  counts.y = "positives";
  counts.categories = chart.categories;
  counts.series.push_back(class_series(runs.front(), chart.categories, "positives", "positives"));
  return {chart, counts};
}

std::vector<Chart> cost_charts(const std::vector<RunData>& runs) {
  std::vector<Chart> charts;
  for (const auto& [pointer, title, unit] : {std::tuple{"/seconds/total", "Time of the whole run", "seconds"},
                                             std::tuple{"/peak_memory_mb", "Largest memory of the process", "MB"}}) {
    Chart chart;
    chart.title = title;
    chart.y = unit;
    Series series;
    series.name = unit;
    for (const auto& run : runs) {
      chart.categories.push_back(run.name);
      series.y.push_back(run.number(pointer));
    }
    chart.series.push_back(std::move(series));
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace mlpac
