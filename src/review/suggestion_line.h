// One suggestion from the text of its line.
#pragma once

#include <cstdint>
#include <string_view>

#include "review/suggestion_index.h"

namespace mlpac {

/// A JSON object; false if it is none or lacks row, id, label or probability.
bool parse_json_suggestion(std::string_view text, SuggestionLine& line);

/// A number that fills the whole text.
bool parse_value(std::string_view text, double& value);
bool parse_value(std::string_view text, std::int64_t& value);

}  // namespace mlpac
