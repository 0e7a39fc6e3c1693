#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/text.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace mlpac {

Relations::Relations(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::size_t i = 0; i < names_.size(); ++i) numbers_.emplace(names_[i], static_cast<std::int32_t>(i));
}

std::int32_t Relations::find(std::string_view name) const {
  const auto entry = numbers_.find(std::string(name));
  return entry == numbers_.end() ? -1 : entry->second;
}

Relations parse_relations(std::string_view text, const std::string& source) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.size() < 2) {
    throw Error(fmt::format(R"({}: no JSON object of relations and their numbers, expected {{"Na": 0, "P17": 1, ...}})",
                            source));
  }
  std::vector<std::string> names(json.size());
  std::vector<bool> used(json.size(), false);
  for (const auto& [name, value] : json.items()) {
    const std::int64_t number = value.is_number_integer() ? value.get<std::int64_t>() : -1;
    if (number < 0 || number >= static_cast<std::int64_t>(json.size()) || used[static_cast<std::size_t>(number)]) {
      throw Error(fmt::format("{}: relation {} has the number {}, expected each from 0 to {} once", source,
                              in_quotes(name), in_quotes(value.dump(-1, ' ', true)), json.size() - 1));
    }
    used[static_cast<std::size_t>(number)] = true;
    names[static_cast<std::size_t>(number)] = name;
  }
  return Relations(std::move(names));
}

Relations read_relations(const std::filesystem::path& path) { return parse_relations(read_file(path), path.string()); }

std::map<std::string, std::string> read_meanings(const std::filesystem::path& neighbour) {
  const auto path = neighbour.parent_path() / "rel_info.json";
  if (!std::filesystem::is_regular_file(path)) return {};
  const auto value = nlohmann::json::parse(read_file(path), nullptr, false);
  std::map<std::string, std::string> meanings;
  if (!value.is_object()) return meanings;
  for (const auto& [name, meaning] : value.items()) {
    if (meaning.is_string()) meanings.emplace(name, meaning.get<std::string>());
  }
  return meanings;
}

}  // namespace mlpac
