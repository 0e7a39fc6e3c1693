#include "experiment/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <optional>
#include <string>
#include <vector>

#include "core/file.h"
#include "experiment/python_text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// How the paper calls our metrics.
std::string printed(const std::string& metric) {
  static const std::map<std::string, std::string> names{
      {"precision", "P"}, {"recall", "R"}, {"f1", "F1"}, {"map", "mAP"}};
  const auto found = names.find(metric.starts_with("critic.") ? metric.substr(7) : metric);
  return found == names.end() ? std::string() : found->second;
}

Json field(const Json& object, const std::string& name) { return object.value(name, Json()); }

/// Numbers by their value: 1 and 1.0 are the same share.
std::string same_text(const Json& value) {
  return value.is_number() ? fmt::format("{}", value.get<double>()) : python_str(value);
}

std::string key(const std::string& method, const Json& ratio, const std::string& metric,
                const std::vector<Json>& more) {
  auto text = fmt::format("{}\n{}\n{}", method, same_text(ratio), metric);
  for (const auto& value : more) text += '\n' + same_text(value);
  return text;
}

}  // namespace

Paper::Paper(const Plan& plan) : about_(plan.paper()) {
  if (about_.is_null() || plan.scale() == Scale::smoke) {
    about_ = Json();
    return;
  }
  const auto file = plan.home() / "paper.json";
  const auto content = Json::parse(read_file(file), nullptr, false);
  if (!content.is_object() || !content.contains("records")) {
    throw Error(fmt::format("{}: expected the records of the paper's tables", file.string()));
  }
  const auto names = field(about_, "methods");
  const auto variants = field(about_, "variants");
  const auto wanted = about_.value("records", Json::object());
  const auto keys = about_.value("keys", Json::object());
  const auto known = [](const Json& table, const Json& method) {
    return std::any_of(table.begin(), table.end(), [&](const Json& own) { return own == method; });
  };
  const auto tables = about_.at("tables");
  for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
    for (const auto& record : content.at("records")) {
      if (record.at("table") != *table || field(record, "value").is_null() || !covers(wanted, record)) continue;
      const auto& method = record.at("method");
      if (!known(names, method) && !(variants.is_object() && known(variants, method))) continue;
      std::vector<Json> more;
      for (const auto& [name, axis] : keys.items()) more.push_back(field(record, name));
      values_[key(method.get<std::string>(), field(record, "ratio"), record.at("metric").get<std::string>(), more)] =
          record.at("value").get<double>();
    }
  }
}

std::optional<double> Paper::value(const Json& values, const std::string& metric) const {
  if (about_.is_null() || !covers(about_.value("where", Json::object()), values)) return std::nullopt;
  for (const auto& doubtful : about_.value("doubtful", Json::array())) {
    const auto metrics = listed(doubtful.at("metrics"));
    if (std::find(metrics.begin(), metrics.end(), Json(metric)) != metrics.end() &&
        covers(doubtful.at("where"), values)) {
      return std::nullopt;
    }
  }
  // A variant has its own name in the paper, or none.
  const bool variant = values.at("variant") != kNoVariant;
  const auto names = about_.value(variant ? "variants" : "methods", Json::object());
  const auto& own = values.at(variant ? "variant" : "method");
  const auto found = own.is_string() ? names.find(own.get<std::string>()) : names.end();
  if (found == names.end()) return std::nullopt;
  std::vector<Json> more;
  const auto keys = about_.value("keys", Json::object());
  for (const auto& [name, axis] : keys.items()) {
    more.push_back(field(values, axis.get<std::string>()));
  }
  const auto value = values_.find(key(found->get<std::string>(), field(values, "ratio"), printed(metric), more));
  return value == values_.end() ? std::nullopt : std::optional(value->second);
}

}  // namespace mlpac
