#include "mlpac/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/names.h"
#include "core/wrap.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

const OptionEntry* find_entry(std::string_view name) {
  const auto table = option_table();
  const auto it =
      std::find_if(table.begin(), table.end(), [&](const OptionEntry& entry) { return entry.name == name; });
  return it == table.end() ? nullptr : &*it;
}

template <typename T>
bool parse_whole(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && !text.empty();
}

/// The number in the shortest decimal form that reads back as the same value: two spellings of it become one.
std::string shortest(double value) {
  std::string text = fmt::format("{}", value + 0.0);  // + 0.0: no negative zero
  const auto mark = text.find('e');
  if (mark == std::string::npos) return text;
  const auto digits = text.find_first_not_of("+-0", mark + 1);
  return fmt::format("{}e{}{}", text.substr(0, mark), text[mark + 1] == '-' ? "-" : "", text.substr(digits));
}

/// The text as it is stored, or UsageError.
std::string checked(const OptionEntry& entry, std::string_view text) {
  const auto fail = [&](std::string_view expected) {
    throw UsageError(fmt::format("--{}: expected {}, got '{}'", entry.name, expected, text));
  };
  const auto control = [&](char c) { return static_cast<unsigned char>(c) < 0x20 && !(entry.repeats && c == '\n'); };
  if (std::any_of(text.begin(), text.end(), control)) fail("one line of text");
  if (text.empty()) {
    if (!entry.fallback.empty()) fail("a value");
    return {};
  }
  switch (entry.kind) {
    case OptionKind::flag:
      if (text == "true" || text == "on" || text == "yes" || text == "1") return "true";
      if (text == "false" || text == "off" || text == "no" || text == "0") return "false";
      fail("true or false");
      break;
    case OptionKind::integer:
    case OptionKind::number: {
      double value = 0;
      std::int64_t whole = 0;
      const bool integer = entry.kind == OptionKind::integer;
      // TOML allows a plus sign; from_chars does not.
      const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
      const auto digits = text.substr(plus ? 1 : 0);
      const bool parsed = integer ? parse_whole(digits, whole) : parse_whole(digits, value);
      if (integer) value = static_cast<double>(whole);
      if (!parsed || !std::isfinite(value) || value < entry.low || value > entry.high) {
        fail(fmt::format("a {}number from {} to {}", integer ? "whole " : "", entry.low, entry.high));
      }
      return integer ? std::to_string(whole) : shortest(value);
    }
    case OptionKind::text:
    case OptionKind::path:
      if (!entry.choices.empty()) {
        const auto names = split_words(entry.choices);
        if (std::find(names.begin(), names.end(), text) == names.end()) {
          throw_unknown_name(fmt::format("value of --{}", entry.name), text, {names.begin(), names.end()});
        }
      }
      break;
  }
  return std::string(text);
}

}  // namespace

Options::Options() {
  for (const auto& entry : option_table()) {
    values_.emplace(entry.name, Value{std::string(entry.fallback), OptionSource::table});
  }
}

const Options::Value& Options::value(std::string_view name) const {
  const auto it = values_.find(name);
  if (it == values_.end()) throw std::logic_error(fmt::format("option '{}' is not in the table", name));
  return it->second;
}

void Options::set(std::string_view name, std::string_view value, OptionSource source) {
  const auto* entry = find_entry(name);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : option_table()) names.emplace_back(known.name);
    const std::string nearest = nearest_name(name, names);
    throw UsageError(fmt::format(
        "unknown option '{}'{}", name,
        nearest.empty() ? std::string("; see mlpac train --help") : fmt::format("; did you mean '{}'?", nearest)));
  }
  values_.find(name)->second = {checked(*entry, value), source};
}

void Options::set_defaults(std::span<const OptionDefault> defaults, OptionSource source) {
  for (const auto& [name, value] : defaults) {
    if (this->value(name).source < source) set(name, value, source);
  }
}

bool Options::has(std::string_view name) const { return !value(name).text.empty(); }
OptionSource Options::source(std::string_view name) const { return value(name).source; }
const std::string& Options::text(std::string_view name) const { return value(name).text; }
bool Options::flag(std::string_view name) const { return value(name).text == "true"; }

std::int64_t Options::integer(std::string_view name) const {
  std::int64_t result = 0;
  if (!parse_whole(text(name), result)) throw UsageError(fmt::format("--{} is needed", name));
  return result;
}

double Options::number(std::string_view name) const {
  double result = 0;
  if (!parse_whole(text(name), result)) throw UsageError(fmt::format("--{} is needed", name));
  return result;
}

std::vector<std::int64_t> Options::integers(std::string_view name) const {
  std::vector<std::int64_t> result;
  for (const auto& part : split_words(text(name), ',')) {
    std::int64_t number = 0;
    if (!parse_whole(part, number)) {
      throw UsageError(fmt::format("--{}: expected whole numbers separated by commas, got '{}'", name, text(name)));
    }
    result.push_back(number);
  }
  return result;
}

std::vector<std::string> Options::words(std::string_view name) const {
  const auto parts = split_words(text(name), ',');
  return {parts.begin(), parts.end()};
}

std::string Options::to_toml(unsigned command) const {
  std::string out;
  std::string_view group;
  for (const auto& entry : option_table()) {
    const auto& text = value(entry.name).text;
    if ((entry.commands & command) == 0 || entry.runtime || text.empty()) continue;
    if (entry.group != group) {
      out += fmt::format("{}# {}\n", out.empty() ? "" : "\n", entry.group);
      group = entry.group;
    }
    const bool quoted = entry.kind == OptionKind::text || entry.kind == OptionKind::path;
    if (quoted) {
      std::string escaped;
      for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
      }
      out += fmt::format("{} = \"{}\"\n", entry.name, escaped);
    } else {
      out += fmt::format("{} = {}\n", entry.name, text);
    }
  }
  return out;
}

}  // namespace mlpac
