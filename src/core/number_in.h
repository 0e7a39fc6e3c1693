// A number that is the whole of a text: the value of an option, or a part of one.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace mlpac {

/// None if the text is anything but a number, or one that does not fit.
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return {};
  return value;
}

}  // namespace mlpac
