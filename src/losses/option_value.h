// Numbers inside the text of an option, such as the 10 of "multiple:10".
#pragma once

#include <string_view>

namespace mlpac {

/// The number after `prefix` in the value of an option; UsageError if there is none or it is not in [0, high].
double number_after(std::string_view text, std::string_view prefix, std::string_view option, double high);

}  // namespace mlpac
