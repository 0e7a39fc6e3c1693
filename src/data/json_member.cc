#include "data/json_member.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/text.h"

namespace mlpac {
namespace {

/// The end of the string that begins with the quote at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at + 1 : text.size();
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", at);
  return next == std::string_view::npos ? text.size() : next;
}

/// The end of the value that begins at `at`.
std::size_t value_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && --depth == 0) return at + 1;
    ++at;
  }
  return at;
}

}  // namespace

std::optional<JsonPlace> find_member(std::string_view object, std::string_view name) {
  std::size_t at = object.find('{');
  if (at == std::string_view::npos) return std::nullopt;
  ++at;
  for (;;) {
    at = skip_blanks(object, at);
    if (at >= object.size() || object[at] != '"') return std::nullopt;
    const std::size_t end = string_end(object, at);
    const std::string_view key = object.substr(at + 1, end - at - 2);
    at = skip_blanks(object, end);
    if (at >= object.size() || object[at] != ':') return std::nullopt;
    const std::size_t begin = skip_blanks(object, at + 1);
    at = value_end(object, begin);
    if (key == name) return JsonPlace{begin, begin + trim(object.substr(begin, at - begin)).size()};
    at = skip_blanks(object, at);
    if (at >= object.size() || object[at] != ',') return std::nullopt;
    ++at;
  }
}

std::string extended_array(std::string_view array, std::span<const std::string> elements) {
  const std::size_t close = array.rfind(']');
  const std::string_view content = array.substr(1, close - 1);
  const bool empty = trim(content).empty();
  // Blanks before the first element come before the new ones, too; those after the last stay after them.
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  const std::string_view gap = empty ? std::string_view() : content.substr(0, first);
  const std::size_t last = empty ? 0 : content.find_last_not_of(" \t\r\n") + 1;
  std::string result(array.substr(0, 1 + last));
  bool comma = !empty;
  for (const std::string& element : elements) {
    if (comma) {
      result += ',';
      result += gap.empty() ? std::string_view(" ") : gap;
    }
    result += element;
    comma = true;
  }
  result += array.substr(1 + last);
  return result;
}

}  // namespace mlpac
