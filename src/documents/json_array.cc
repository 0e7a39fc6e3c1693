#include "documents/json_array.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {

std::vector<std::string_view> json_array_elements(std::string_view text, const std::string& source,
                                                  std::string_view expected) {
  text = trim(without_byte_order_mark(text));
  if (!text.starts_with('[')) {
    throw Error(fmt::format("{}: begins with {}, expected a JSON array of {}", source, in_quotes(text.substr(0, 20)),
                            expected));
  }
  std::vector<std::string_view> elements;
  std::size_t begin = 1;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
      const std::string_view element = trim(text.substr(begin, at - begin));
      const bool empty_array = c == ']' && elements.empty() && element.empty();
      if (!empty_array) elements.push_back(element);
      begin = at + 1;
      if (c == ',') continue;
      if (c == '}' || begin != text.size()) {
        throw Error(fmt::format("{}: more text after the array, at byte {}; expected one JSON array of {}", source,
                                at + 1, expected));
      }
      return elements;
    }
  }
  throw Error(fmt::format("{}: ends within element {}, expected the ']' of the array of {}; is the file complete?",
                          source, elements.size(), expected));
}

}  // namespace mlpac
