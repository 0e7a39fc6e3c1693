#include "experiment/python_text.h"

#include <fmt/format.h>

#include <string>

namespace mlpac {

std::string python_str(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_null()) return "None";
  if (!value.is_number_float()) return value.dump();
  // The shortest digits that give the same number, with an exponent below -4 and from 16 on: the same rule in fmt.
  auto text = fmt::format("{}", value.get<double>());
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string python_json(const nlohmann::ordered_json& value) {
  if (value.is_array() || value.is_object()) {
    std::string text;
    for (const auto& [key, item] : value.items()) {
      if (!text.empty()) text += ", ";
      if (value.is_object()) text += nlohmann::json(key).dump(-1, ' ', true) + ": ";
      text += python_json(item);
    }
    return value.is_array() ? "[" + text + "]" : "{" + text + "}";
  }
  if (value.is_number_float()) return python_str(value);
  return value.dump(-1, ' ', true);
}

}  // namespace mlpac
