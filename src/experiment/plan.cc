#include "experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/sha256.h"
#include "experiment/python_text.h"
#include "mlpac/error.h"

namespace mlpac {

namespace fs = std::filesystem;

namespace {

struct Field {
  std::string_view name;
  bool needed;
};
constexpr std::array<Field, 15> kFields{{{"name", true},
                                         {"title", true},
                                         {"text", false},
                                         {"extends", false},
                                         {"scales", false},
                                         {"axes", true},
                                         {"layers", false},
                                         {"variants", false},
                                         {"data", false},
                                         {"devices", false},
                                         {"bounds", false},
                                         {"paper", false},
                                         {"curves", false},
                                         {"groups", true},
                                         {"report", false}}};
// Names of a line in the file of cells that no axis may have.
constexpr std::array<std::string_view, 18> kTaken{"kind",      "options", "variant", "group",  "test",   "critic",
                                                  "selection", "seconds", "version", "commit", "binary", "machine",
                                                  "device",    "jobs",    "data",    "epochs", "memory", "gpu_memory"};

std::string field_names() {
  std::string text;
  for (const auto& field : kFields) text += fmt::format("{}{}", text.empty() ? "" : ", ", field.name);
  return text;
}

Json value_or(const Json& object, const std::string& name, const Json& fallback) {
  const auto found = object.find(name);
  return found == object.end() ? fallback : *found;
}

}  // namespace

std::string_view scale_name(Scale scale) {
  return scale == Scale::smoke ? "smoke" : scale == Scale::here ? "here" : "paper";
}

std::vector<Json> listed(const Json& value) {
  return value.is_array() ? std::vector<Json>(value.begin(), value.end()) : std::vector<Json>{value};
}

std::string joined_text(const Json& lines) {
  std::string text;
  for (const auto& line : listed(lines)) {
    if (line.is_string()) text += (text.empty() ? "" : " ") + line.get<std::string>();
  }
  return text;
}

bool covers(const Json& where, const Json& values) {
  const auto named = where.items();
  return std::all_of(named.begin(), named.end(), [&](const auto& axis) {
    const auto value = value_or(values, axis.key(), Json());
    const auto all = listed(axis.value());
    return std::find(all.begin(), all.end(), value) != all.end();
  });
}

void Plan::fail(const std::string& text) const { throw Error(fmt::format("{}: {}", path_.string(), text)); }

Json Plan::read(const fs::path& path) {
  const auto text = read_file(path);
  Json content;
  try {
    content = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("{}: cannot be read as a plan: {}", path.string(), error.what()));
  }
  if (!content.is_object()) throw Error(fmt::format("{}: expected an object", path.string()));
  std::string unknown;
  for (const auto& [name, value] : content.items()) {
    const auto known = [&, &own = name](const Field& field) { return field.name == own; };
    if (std::none_of(kFields.begin(), kFields.end(), known)) unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (!unknown.empty()) {
    throw Error(fmt::format("{}: unknown: {}; expected some of {}", path.string(), unknown, field_names()));
  }
  return content;
}

Json Plan::extended(const Json& own) {
  const auto base_path = (path_.parent_path() / own.at("extends").get<std::string>()).lexically_normal();
  Json base = read(base_path);
  if (base.contains("extends")) fail("a plan can only extend one that stands alone");
  folder_ = base_path.parent_path();
  kind_ = base.at("name").get<std::string>();
  Json content = base;
  for (const auto& [name, value] : own.items()) {
    if (name == "groups") continue;
    const bool adds = (name == "variants" || name == "layers") && content.contains(name);
    if (adds) {
      content[name].update(value);
    } else {
      content[name] = value;
    }
  }
  if (!own.contains("paper")) content["paper"] = base.value("paper", Json());
  Json groups = Json::array();
  for (const auto& group : own.value("groups", Json::array())) {
    if (!group.is_string()) {
      groups.push_back(group);
      continue;
    }
    const auto before = groups.size();
    for (const auto& known : base.at("groups")) {
      if (known.value("name", Json()) == group) groups.push_back(known);
    }
    if (groups.size() == before) {
      fail(fmt::format("groups: {} has no group '{}'", base_path.string(), group.get<std::string>()));
    }
  }
  content["groups"] = std::move(groups);
  return content;
}

Plan::Plan(fs::path path, Scale scale, fs::path plans, std::vector<std::string> extra)
    : path_(std::move(path)), scale_(scale), extra_(std::move(extra)) {
  try {
    Json content = read(path_);
    folder_ = path_.parent_path();
    home_ = folder_.parent_path();
    if (!plans.empty() && !fs::exists(home_ / "paper.json")) home_ = std::move(plans);
    if (content.contains("extends")) content = extended(content);
    std::string missing;
    for (const auto& field : kFields) {
      if (field.needed && !content.contains(field.name))
        missing += fmt::format("{}{}", missing.empty() ? "" : ", ", field.name);
    }
    if (!missing.empty()) fail(fmt::format("{} is missing", missing));
    name_ = content.at("name").get<std::string>();
    if (kind_.empty()) kind_ = name_;
    title_ = content.at("title").get<std::string>();
    text_ = joined_text(value_or(content, "text", ""));
    axes_ = content.at("axes");
    layers_ = value_or(content, "layers", Json::object());
    variants_ = Json{{std::string(kNoVariant), Json::array()}};
    variants_.update(value_or(content, "variants", Json::object()));
    data_ = value_or(content, "data", Json::object());
    devices_ = value_or(content, "devices", Json::object());
    bounds_ = value_or(content, "bounds", Json::array());
    paper_ = value_or(content, "paper", Json());
    report_ = value_or(content, "report", Json::array());
    scales_ = value_or(content, "scales", Json::array({"here", "paper"}));
    curves_ = value_or(content, "curves", Json::array());
    check_axes();
    for (const auto& group : content.at("groups")) add_group(group);
  } catch (const Json::exception& error) {
    fail(fmt::format("not as a plan should be: {}", error.what()));
  }
}

void Plan::check_axes() const {
  if (!axes_.contains("seed")) fail("axes: 'seed' is missing");
  for (const auto& [axis, options] : axes_.items()) {
    if (std::find(kTaken.begin(), kTaken.end(), axis) != kTaken.end()) {
      fail(fmt::format("axes: '{}' is the name of something else", axis));
    }
    if (!options.is_array()) fail(fmt::format("axes: '{}': expected a list of options", axis));
  }
  for (const auto& [axis, files] : layers_.items()) {
    if (!axes_.contains(axis)) fail(fmt::format("layers: '{}' is no axis", axis));
  }
}

bool Plan::made_at_scale(const Json& group) const {
  if (scale_ == Scale::smoke) return true;
  const auto scales = listed(value_or(group, "scales", scales_));
  return std::find(scales.begin(), scales.end(), Json(scale_name(scale_))) != scales.end();
}

/// For a quick try of everything: all methods and variants, but one value of every other axis.
void Plan::shrink(Json& group) {
  for (const auto& [axis, values] : group.items()) {
    if (axis == "name" || axis == "scales" || axis == "method" || axis == "variant") continue;
    if (values.is_array() && values.size() > 1) values = Json(values.front());
  }
}

void Plan::add_group(const Json& given) {
  if (!made_at_scale(given)) return;
  Json group = given;
  if (scale_ == Scale::smoke) shrink(group);
  const auto name = group.value("name", std::string());
  group.erase("scales");
  for (const auto& [axis, values] : group.items()) {
    if (axis != "name" && axis != "variant" && !axes_.contains(axis)) {
      fail(fmt::format("group '{}': '{}' is no axis", name, axis));
    }
  }
  std::string missing;
  for (const auto& [axis, options] : axes_.items()) {
    if (!group.contains(axis)) missing += (missing.empty() ? "" : ", ") + axis;
  }
  if (!missing.empty()) fail(fmt::format("group '{}': a value for {} is missing (null: none)", name, missing));
  // All combinations; the axis that is named first changes slowest.
  std::vector<Json> rows{Json{{"variant", std::string(kNoVariant)}}};
  for (const auto& [axis, values] : group.items()) {
    if (axis == "name") continue;
    std::vector<Json> longer;
    for (const auto& row : rows) {
      for (const auto& value : listed(values)) {
        longer.push_back(row);
        longer.back()[axis] = value;
      }
    }
    rows = std::move(longer);
  }
  for (auto& row : rows) {
    auto cell = make_cell(std::move(row));
    const auto same = [&](const PlanCell& other) { return other.name == cell.name; };
    auto found = std::find_if(cells_.begin(), cells_.end(), same);
    if (found == cells_.end()) found = cells_.insert(cells_.end(), std::move(cell));
    found->groups.push_back(name);
  }
}

PlanCell Plan::make_cell(Json values) const {
  const auto variant = values.at("variant").get<std::string>();
  if (!variants_.contains(variant)) fail(fmt::format("there is no variant '{}'", variant));
  PlanCell cell;
  for (const auto& [axis, options] : axes_.items()) {
    if (values.at(axis).is_null()) continue;
    for (const auto& option : options) {
      cell.arguments.push_back(fmt::format("--{}", option.get<std::string>()));
      cell.arguments.push_back(python_str(values.at(axis)));
    }
  }
  for (const auto& argument : variants_.at(variant)) cell.arguments.push_back(argument.get<std::string>());
  for (const auto& [axis, files] : layers_.items()) {
    const auto found = values.at(axis).is_string() ? files.find(values.at(axis).get<std::string>()) : files.end();
    if (found == files.end()) continue;
    for (const auto& file : listed(*found)) cell.layers.push_back(folder_ / file.get<std::string>());
  }
  if (scale_ == Scale::smoke) cell.layers.push_back(home_ / "smoke.toml");
  Json options = Json::array();
  for (const auto& [name, value] : merged(cell.layers)) options.push_back(Json::array({name, Json(value)}));
  cell.options = sha256(python_json(Json::array({options, cell.arguments, extra_}))).substr(0, 12);
  cell.name = cell_name(values);
  cell.values = std::move(values);
  return cell;
}

std::string Plan::cell_name(const Json& values) const {
  std::string name;
  for (const auto& [axis, options] : axes_.items()) {
    if (axis == "seed" || values.at(axis).is_null()) continue;
    name += python_str(values.at(axis)) + "/";
  }
  if (values.at("variant") != kNoVariant) name += values.at("variant").get<std::string>() + "/";
  return name + "seed-" + python_str(values.at("seed"));
}

FlatToml Plan::merged(const std::vector<fs::path>& layers) const {
  FlatToml options;
  for (const auto& file : layers) {
    if (!files_.contains(file)) files_[file] = read_flat_toml(file);
    for (const auto& [name, value] : files_.at(file)) options[name] = value;
  }
  return options;
}

std::vector<std::string> Plan::config(const PlanCell& cell, const fs::path& folder) const {
  if (cell.layers.empty()) return {};
  if (cell.layers.size() == 1) return {"--config", cell.layers.front().string()};
  std::string text;
  for (const auto& [name, value] : merged(cell.layers)) text += fmt::format("{} = {}\n", name, toml_value(value));
  const auto file = folder / "layers.toml";
  write_file_atomically(file, text);
  return {"--config", file.string()};
}

std::pair<std::string, std::vector<std::string>> Plan::files_of(const PlanCell& cell, const std::string& folder) const {
  if (data_.empty()) return {};
  if (folder.empty() && data_.dump().find("{data}") != std::string::npos) {
    throw Error("--data DIR is needed: where the data is");
  }
  std::string expected;
  for (const auto& [kind, paths] : data_.items()) {
    std::vector<std::string> options;
    std::string names;
    bool complete = true;
    for (const auto& [option, pattern] : paths.items()) {
      auto path = pattern.get<std::string>();
      for (auto open = path.find('{'); open != std::string::npos; open = path.find('{', open)) {
        const auto close = path.find('}', open);
        if (close == std::string::npos) fail(fmt::format("data: '{}': a closing }} is missing", path));
        const auto axis = path.substr(open + 1, close - open - 1);
        if (axis != "data" && !cell.values.contains(axis)) fail(fmt::format("data: '{}' is no axis", axis));
        const auto value = axis == "data" ? folder : python_str(cell.values.at(axis));
        path.replace(open, close - open + 1, value);
        open += value.size();
      }
      complete = complete && fs::exists(path);
      names += (names.empty() ? "" : ", ") + path;
      options.push_back("--" + option);
      options.push_back(path);
    }
    if (complete) return {kind, options};
    expected += (expected.empty() ? "" : "; or ") + names;
  }
  throw Error(fmt::format("the data is not there; expected {}", expected));
}

std::vector<std::string> Plan::device_options(const std::string& device) const {
  return value_or(devices_, device.substr(0, device.find(':')), Json::array()).get<std::vector<std::string>>();
}

bool Plan::keeps_epochs(const PlanCell& cell) const {
  return std::any_of(cell.groups.begin(), cell.groups.end(), [&](const std::string& group) {
    return std::find(curves_.begin(), curves_.end(), Json(group)) != curves_.end();
  });
}

}  // namespace mlpac
