#include "experiment/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlpac {
namespace {

/// A metric of a record; "critic.f1" is one of the critic, "uncut.f1" that of decisions at a probability of 0.5.
std::optional<double> metric_of(const Json& record, const std::string& metric) {
  const auto dot = metric.find('.');
  const auto part = record.find(dot == std::string::npos ? "test" : metric.substr(0, dot));
  if (part == record.end() || !part->is_object()) return std::nullopt;
  const auto value = part->find(dot == std::string::npos ? metric : metric.substr(dot + 1));
  return value != part->end() && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

std::vector<double> metrics_of(const std::vector<const Json*>& records, const std::string& metric) {
  std::vector<double> values;
  for (const auto* const record : records) {
    if (const auto value = metric_of(*record, metric)) values.push_back(*value);
  }
  return values;
}

Json to_json(const std::optional<Spread>& found) {
  if (!found) return {};
  return Json{{"mean", found->mean}, {"sd", found->deviation ? Json(*found->deviation) : Json()}};
}

}  // namespace

std::string counted(std::vector<std::string> values) {
  std::map<std::string, int> counts;
  for (auto& value : values) ++counts[std::move(value)];
  if (counts.size() == 1) return counts.begin()->first;
  std::string text;
  for (const auto& [value, count] : counts) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", value, count);
  return text;
}

std::vector<Json> Entry::missing() const {
  std::vector<Json> result;
  for (const auto& seed : planned) {
    const auto is_it = [&](const Json* record) { return record->at("seed") == seed; };
    if (std::none_of(records.begin(), records.end(), is_it)) result.push_back(seed);
  }
  return result;
}

std::optional<Spread> Entry::summary(const std::string& metric) const { return spread(metrics_of(records, metric)); }

std::optional<double> Entry::mean(const std::string& metric) const {
  const auto found = summary(metric);
  return found ? std::optional(found->mean) : std::nullopt;
}

std::optional<Spread> Entry::seconds() const {
  std::vector<double> taken;
  taken.reserve(records.size());
  for (const auto* const record : records) taken.push_back(record->at("seconds").value("total", 0.0));
  return spread(taken);
}

std::optional<Interval> Entry::difference(const Entry& other, const std::string& metric,
                                          const std::string& others_metric) const {
  std::vector<double> differences;
  for (const auto* const mine : records) {
    for (const auto* const theirs : other.records) {
      if (mine->at("seed") != theirs->at("seed")) continue;
      const auto a = metric_of(*mine, metric);
      const auto b = metric_of(*theirs, others_metric);
      if (a && b) differences.push_back(*a - *b);
    }
  }
  return interval(differences);
}

Json Entry::to_json() const {
  Json result = values;
  if (values.at("variant") == kNoVariant) result.erase("variant");
  result["seeds"] = Json::array();
  for (const auto* const record : records) result["seeds"].push_back(record->at("seed"));
  if (const auto absent = missing(); !absent.empty()) result["missing"] = absent;
  for (const auto* const metric : {"precision", "recall", "f1", "map"})
    result[metric] = mlpac::to_json(summary(metric));
  result["w"] = Json::array();
  std::vector<std::string> rules;
  for (const auto* const record : records) {
    const auto selection = record->value("selection", Json::object());
    result["w"].push_back(selection.value("w", Json()));
    rules.push_back(selection.value("rule", std::string("unknown")));
  }
  result["selection"] = rules.empty() ? Json() : Json(counted(std::move(rules)));
  const auto took = seconds();
  result["seconds"] = took ? Json(took->mean) : Json();
  return result;
}

Results::Results(const Plan& plan, CellFile& store) : plan_(plan) {
  for (const auto& [axis, options] : plan.axes().items()) {
    if (axis != "seed") axes_.push_back(axis);
  }
  axes_.emplace_back("variant");
  for (const auto& cell : plan.cells()) {
    Json values = Json::object();
    for (const auto& axis : axes_) values[axis] = cell.values.at(axis);
    auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.values == values; });
    if (found == entries_.end()) found = entries_.insert(entries_.end(), Entry{std::move(values), {}, {}});
    found->planned.push_back(cell.values.at("seed"));
    if (const auto* const record = store.get(cell.name, cell.options)) found->records.push_back(record);
  }
  for (auto& entry : entries_) {
    std::sort(entry.records.begin(), entry.records.end(),
              [](const Json* a, const Json* b) { return a->at("seed") < b->at("seed"); });
  }
}

std::vector<const Json*> Results::records() const {
  std::vector<const Json*> result;
  for (const auto& entry : entries_) result.insert(result.end(), entry.records.begin(), entry.records.end());
  return result;
}

const Entry* Results::find(const Json& values) const {
  for (const auto& entry : entries_) {
    const bool same = std::all_of(axes_.begin(), axes_.end(), [&](const std::string& axis) {
      const Json wanted = values.value(axis, axis == "variant" ? Json(kNoVariant) : Json());
      return entry.values.at(axis) == wanted;
    });
    if (same) return &entry;
  }
  return nullptr;
}

std::vector<const Entry*> Results::select(const Json& where) const {
  Json wanted{{"variant", kNoVariant}};
  wanted.update(where);
  std::vector<const Entry*> chosen;
  for (const auto& entry : entries_) {
    if (covers(wanted, entry.values)) chosen.push_back(&entry);
  }
  // By the last axis first: sorting is stable.
  const std::vector<std::string> backwards(axes_.rbegin(), axes_.rend());
  for (const auto& axis : backwards) {
    std::vector<Json> ranks = where.contains(axis) ? listed(where.at(axis)) : std::vector<Json>();
    for (const auto& entry : entries_) ranks.push_back(entry.values.at(axis));
    const auto is_number = [](const Json& value) { return value.is_null() || value.is_number(); };
    if (std::all_of(ranks.begin(), ranks.end(), is_number)) {
      std::stable_sort(ranks.begin(), ranks.end(), [](const Json& a, const Json& b) {
        if (a.is_null() || b.is_null()) return !a.is_null() && b.is_null();
        return a.get<double>() < b.get<double>();
      });
    }
    const auto rank = [&](const Entry* entry) {
      return std::find(ranks.begin(), ranks.end(), entry->values.at(axis)) - ranks.begin();
    };
    std::stable_sort(chosen.begin(), chosen.end(), [&](const Entry* a, const Entry* b) { return rank(a) < rank(b); });
  }
  return chosen;
}

Json Results::to_json() const {
  Json result = Json::array();
  for (const bool variants : {false, true}) {
    for (const auto& entry : entries_) {
      if ((entry.values.at("variant") != kNoVariant) == variants) result.push_back(entry.to_json());
    }
  }
  return result;
}

}  // namespace mlpac
