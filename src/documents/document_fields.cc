#include "documents/document_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// A value as it stands in the file, short enough for a message.
std::string shown(const nlohmann::json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  return in_quotes(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void DocumentFields::fail(const std::string& field, const std::string& problem) const {
  const std::string title = title_.empty() ? "" : fmt::format(" ({})", in_quotes(title_));
  const std::string blank = field.empty() ? "" : " ";
  throw Error(fmt::format("{}: {} {}{}: {}{}{}", source_, what_, number_, title, field, blank, problem));
}

nlohmann::json DocumentFields::parse(std::string_view text) const {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = error.byte > 20 ? error.byte - 20 : 0;
    fail("", fmt::format("no valid JSON near {} (its byte {}), expected an object with {}",
                         in_quotes(text.substr(std::min(at, text.size()), 30)), error.byte, members_));
  }
}

const nlohmann::json& DocumentFields::member(const nlohmann::json& object, const char* name,
                                             const std::string& field) const {
  const std::string path = field.empty() ? name : field + "." + name;
  if (!object.is_object()) fail(field, fmt::format("is {}, expected an object with {}", shown(object), name));
  const auto entry = object.find(name);
  if (entry == object.end()) fail(path, "is missing");
  return *entry;
}

const nlohmann::json& DocumentFields::array(const nlohmann::json& value, const std::string& field,
                                            std::string_view of) const {
  if (!value.is_array()) fail(field, fmt::format("is {}, expected an array of {}", shown(value), of));
  return value;
}

std::string DocumentFields::text(const nlohmann::json& value, const std::string& field) const {
  if (!value.is_string()) fail(field, fmt::format("is {}, expected a string", shown(value)));
  return value.get<std::string>();
}

std::int32_t DocumentFields::number(const nlohmann::json& value, const std::string& field, std::int64_t least,
                                    std::int64_t most, std::string_view what) const {
  const bool whole =
      value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1U << 31U);
  const std::int64_t number = whole ? value.get<std::int64_t>() : 0;
  if (!whole || number < least || number > most) {
    fail(field, most < least ? fmt::format("is {}, but there is no {}", shown(value), what)
                             : fmt::format("is {}, expected {} from {} to {}", shown(value), what, least, most));
  }
  return static_cast<std::int32_t>(number);
}

}  // namespace mlpac
