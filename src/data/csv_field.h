// One field of a CSV file, as it is written.
#pragma once

#include <string>
#include <string_view>

namespace mlpac {

/// Quoted where RFC 4180 asks for it.
inline std::string csv_field(std::string_view text, char delimiter = ',') {
  const bool plain =
      text.find_first_of("\"\r\n") == std::string_view::npos && text.find(delimiter) == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace mlpac
