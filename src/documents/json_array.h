// The elements of a JSON array as texts, so that they can be parsed one by one on several threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

/// Cuts at the commas of the outermost array; what is between them is checked by whoever parses it. Error if the text
/// is not one array; `expected` says of what.
std::vector<std::string_view> json_array_elements(std::string_view text, const std::string& source,
                                                  std::string_view expected);

}  // namespace mlpac
