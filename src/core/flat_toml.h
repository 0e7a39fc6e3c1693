// Files of options as data: `name = value` lines of TOML without tables, which is what --config reads and runs store.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace mlpac {

/// Names with strings, whole numbers, numbers or booleans. Error with file and line for anything else.
using FlatToml = std::map<std::string, nlohmann::json>;
FlatToml parse_flat_toml(std::string_view text, const std::string& file);
FlatToml read_flat_toml(const std::filesystem::path& file);

/// A value as TOML and JSON write it: text in quotes, everything else bare.
std::string toml_value(const nlohmann::json& value);

}  // namespace mlpac
