#include "data/arff_lexer.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "data/text.h"

namespace mlpac {
namespace {

char unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

ArffWord ArffLexer::quoted_word() {
  const char quote = *at_;
  const char* const first = at_ + 1;
  const char* last = first;
  bool escaped = false;
  while (last != end_ && *last != quote) {
    if (*last == '\\' && last + 1 != end_) {
      escaped = true;
      ++last;
    }
    ++last;
  }
  const std::string_view raw(first, static_cast<std::size_t>(last - first));
  if (last == end_) {
    fail(fmt::format("the quote before {} is not closed on this line, expected another {}", in_quotes(raw), quote));
  }
  at_ = last + 1;
  if (!escaped) return {raw, true};
  unescaped_.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    unescaped_ += raw[i] == '\\' ? unescape(raw[++i]) : raw[i];  // a backslash is never the last character here
  }
  return {unescaped_, true};
}

}  // namespace mlpac
