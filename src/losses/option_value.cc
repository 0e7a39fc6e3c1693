#include "losses/option_value.h"

#include <fmt/format.h>

#include <charconv>

#include "mlpac/error.h"

namespace mlpac {

double number_after(std::string_view text, std::string_view prefix, std::string_view option, double high) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= high)) {
    throw UsageError(fmt::format("--{}: expected a number from 0 to {} in '{}'", option, high, text));
  }
  return value;
}

}  // namespace mlpac
