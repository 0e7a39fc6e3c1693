#include "core/flat_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/file.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// What is wrong with a line; the caller knows its number.
struct Wrong {
  std::string what;
};

/// Only a comment may follow a value.
void check_end(std::string_view rest) {
  rest = trimmed(rest);
  if (!rest.empty() && rest.front() != '#') throw Wrong{fmt::format("unexpected '{}' after the value", rest)};
}

nlohmann::json quoted(std::string_view text) {
  const char quote = text.front();
  std::size_t end = 1;
  while (end < text.size() && text[end] != quote) end += quote == '"' && text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) throw Wrong{fmt::format("a closing {} is missing", quote)};
  check_end(text.substr(end + 1));
  if (quote == '\'') return std::string(text.substr(1, end - 1));
  // Escapes of TOML's basic strings are those of JSON, but for \U and \e.
  auto value = nlohmann::json::parse(text.substr(0, end + 1), nullptr, false);
  if (value.is_discarded()) throw Wrong{"the text in quotes cannot be read"};
  return value;
}

nlohmann::json bare(std::string_view text) {
  const auto end = text.find('#');
  std::string word(trimmed(text.substr(0, end)));
  if (word == "true" || word == "false") return word == "true";
  word.erase(std::remove(word.begin(), word.end(), '_'), word.end());
  const char* const first = word.data() + (word.starts_with("+") ? 1 : 0);
  const char* const last = word.data() + word.size();
  std::int64_t whole = 0;
  if (const auto found = std::from_chars(first, last, whole); found.ec == std::errc() && found.ptr == last)
    return whole;
  double number = 0;
  if (const auto found = std::from_chars(first, last, number); found.ec == std::errc() && found.ptr == last) {
    return number;
  }
  throw Wrong{fmt::format("'{}' is no value; expected \"text\", a number, true or false", word)};
}

std::pair<std::string, nlohmann::json> entry_of(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) throw Wrong{"expected NAME = VALUE"};
  auto name = trimmed(line.substr(0, equals));
  if (name.size() > 1 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front()) {
    name = name.substr(1, name.size() - 2);
  }
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_part)) {
    throw Wrong{fmt::format("'{}' is no name of an option", name)};
  }
  const auto value = trimmed(line.substr(equals + 1));
  if (value.empty()) throw Wrong{fmt::format("'{}' has no value", name)};
  return {std::string(name), value.front() == '"' || value.front() == '\'' ? quoted(value) : bare(value)};
}

}  // namespace

FlatToml parse_flat_toml(std::string_view text, const std::string& file) {
  FlatToml result;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    try {
      auto [name, value] = entry_of(line);
      if (!result.emplace(name, std::move(value)).second) throw Wrong{fmt::format("'{}' is there twice", name)};
    } catch (const Wrong& wrong) {
      throw Error(fmt::format("{}:{}: {}", file, number, wrong.what));
    }
  }
  return result;
}

FlatToml read_flat_toml(const std::filesystem::path& file) { return parse_flat_toml(read_file(file), file.string()); }

std::string toml_value(const nlohmann::json& value) { return value.dump(); }

}  // namespace mlpac
