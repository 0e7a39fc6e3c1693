#include "losses/option_value.h"

#include <fmt/format.h>

#include "core/number_in.h"
#include "mlpac/error.h"

namespace mlpac {

double number_after(std::string_view text, std::string_view prefix, std::string_view option, double high) {
  const auto value = number_in(text.substr(prefix.size()));
  if (!value || !(*value >= 0 && *value <= high)) {
    throw UsageError(fmt::format("--{}: expected a number from 0 to {} in '{}'", option, high, text));
  }
  return *value;
}

}  // namespace mlpac
