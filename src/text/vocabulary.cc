#include "text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {

TokenIds parse_vocabulary_lines(std::string_view text, const std::string& source) {
  TokenIds ids;
  text = without_byte_order_mark(text);
  std::int32_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view token = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (token.ends_with('\r')) token.remove_suffix(1);
    if (token.empty()) {
      throw Error(fmt::format("{}:{}: an empty line, expected one token per line; the line number is the token's id",
                              source, line + 1));
    }
    const auto [entry, added] = ids.emplace(token, line);
    if (!added) {
      throw Error(fmt::format("{}:{}: token {} again, first in line {}; expected each token once", source, line + 1,
                              in_quotes(token), entry->second + 1));
    }
    ++line;
  }
  if (ids.empty()) throw Error(fmt::format("{}: no tokens, expected one per line", source));
  return ids;
}

TokenIds parse_vocabulary_json(std::string_view text, const std::string& source) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.empty()) {
    throw Error(fmt::format("{}: no JSON object of tokens and their ids, expected a vocab.json", source));
  }
  TokenIds ids;
  ids.reserve(json.size());
  std::vector<bool> used(json.size(), false);
  for (const auto& [token, value] : json.items()) {
    const std::int64_t id = value.is_number_integer() ? value.get<std::int64_t>() : -1;
    if (id < 0 || id >= static_cast<std::int64_t>(json.size()) || used[static_cast<std::size_t>(id)]) {
      throw Error(fmt::format("{}: token {} has the id {}, expected each number from 0 to {} once", source,
                              in_quotes(token), in_quotes(value.dump(-1, ' ', true)), json.size() - 1));
    }
    used[static_cast<std::size_t>(id)] = true;
    ids.emplace(token, static_cast<std::int32_t>(id));
  }
  return ids;
}

std::int32_t required_id(const TokenIds& ids, std::string_view token, const std::string& source) {
  const std::int32_t id = find_id(ids, token);
  if (id < 0) {
    throw Error(fmt::format("{}: no token {}, expected the vocabulary of a pre-trained encoder, which has it", source,
                            in_quotes(token)));
  }
  return id;
}

}  // namespace mlpac
