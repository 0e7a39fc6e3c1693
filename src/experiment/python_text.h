// Numbers and lists as Python writes them. Digests of options in existing files of cells were made from that text, so
// that it must not change.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace mlpac {

/// str(value): a number as its shortest text ("1.0", "1e-05"), text as it is.
std::string python_str(const nlohmann::ordered_json& value);

/// json.dumps(value): ", " and ": " as separators, everything beyond ASCII escaped.
std::string python_json(const nlohmann::ordered_json& value);

}  // namespace mlpac
