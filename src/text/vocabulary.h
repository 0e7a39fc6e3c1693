// A vocabulary: tokens and their ids, looked up without copying.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mlpac {

struct TokenHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

using TokenIds = std::unordered_map<std::string, std::int32_t, TokenHash, std::equal_to<>>;

/// The id, or -1.
inline std::int32_t find_id(const TokenIds& ids, std::string_view token) {
  const auto entry = ids.find(token);
  return entry == ids.end() ? -1 : entry->second;
}

/// One token per line, numbered from 0. Error for an empty or repeated one.
TokenIds parse_vocabulary_lines(std::string_view text, const std::string& source);

/// A JSON object of token to id. Error if an id is missing, repeated or out of range.
TokenIds parse_vocabulary_json(std::string_view text, const std::string& source);

/// The id of a token that the tokeniser cannot do without, or Error.
std::int32_t required_id(const TokenIds& ids, std::string_view token, const std::string& source);

}  // namespace mlpac
