#include "data/arff_header.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/arff_lexer.h"
#include "data/line_reader.h"
#include "data/text.h"

namespace mlpac {
namespace {

void expect_end(ArffLexer& lexer, std::string_view after) {
  lexer.skip_blanks();
  if (lexer.done()) return;
  lexer.fail(fmt::format("{} follows {}, expected the end of the line; names and values with blanks need quotes",
                         in_quotes(lexer.rest()), after));
}

/// The values between { and }.
std::vector<std::string> nominal_values(ArffLexer& lexer, const std::string& name) {
  using Lexer = ArffLexer;
  std::vector<std::string> values;
  std::unordered_set<std::string> seen;  // in UTF-8: the values become names of columns
  do {
    const ArffWord word = lexer.word(Lexer::kBlank | Lexer::kComma | Lexer::kOpen | Lexer::kClose);
    if (word.text.empty() && !word.quoted) {
      lexer.fail(fmt::format("a value is missing in the list of attribute {}, expected {{value, value, ...}}",
                             in_quotes(name)));
    }
    // Some programs list the sign for a missing value among the values; it never is one.
    if (!word.missing()) {
      if (!seen.insert(to_utf8(word.text)).second) {
        lexer.fail(fmt::format("value {} of attribute {} is listed twice, expected different values",
                               in_quotes(word.text), in_quotes(name)));
      }
      values.emplace_back(word.text);
    }
    lexer.skip_blanks();
  } while (lexer.accept(','));
  if (!lexer.accept('}')) {
    lexer.fail(
        fmt::format("the list of attribute {} goes on with {}, expected ',' or '}}'; values with blanks need quotes",
                    in_quotes(name), in_quotes(lexer.rest())));
  }
  if (values.empty()) lexer.fail(fmt::format("attribute {} has no values, expected at least one", in_quotes(name)));
  return values;
}

ArffAttribute attribute(ArffLexer& lexer, std::int64_t line) {
  ArffAttribute result;
  result.line = line;
  result.name = to_utf8(lexer.word(ArffLexer::kBlank | ArffLexer::kOpen).text);
  if (result.name.empty()) lexer.fail("@attribute without a name, expected '@attribute name type'");
  if (result.name.find('\0') != std::string::npos) {
    lexer.fail("the name of the attribute contains a zero byte, expected text; is this a binary file?");
  }
  lexer.skip_blanks();
  if (lexer.accept('{')) {
    result.nominal = true;
    result.values = nominal_values(lexer, result.name);
    expect_end(lexer, "the list of values");
    return result;
  }
  const std::string_view type = lexer.word(ArffLexer::kBlank).text;
  if (equals_ignoring_case(type, "string") || equals_ignoring_case(type, "date") ||
      equals_ignoring_case(type, "relational")) {
    lexer.fail(
        fmt::format("attribute {} has the type {}, expected numeric or {{a,b,...}}; remove the attribute or "
                    "convert it first (Weka: StringToWordVector, StringToNominal, NumericTransform)",
                    in_quotes(result.name), in_quotes(type)));
  }
  if (!equals_ignoring_case(type, "numeric") && !equals_ignoring_case(type, "real") &&
      !equals_ignoring_case(type, "integer")) {
    lexer.fail(fmt::format("attribute {} has the unknown type {}, expected numeric, real, integer or {{a,b,...}}",
                           in_quotes(result.name), in_quotes(type)));
  }
  expect_end(lexer, "the type");
  return result;
}

[[noreturn]] void fail_not_arff(const LineReader& lines) {
  if (lines.line().find('\0') != std::string_view::npos) {
    lines.fail("the line contains a zero byte, expected ARFF text; a compressed or binary file must be unpacked first");
  }
  lines.fail(fmt::format("unexpected {}, expected @relation, @attribute or @data", in_quotes(lines.line())));
}

}  // namespace

std::vector<ArffAttribute> read_arff_header(LineReader& lines, ArffLexer& lexer) {
  std::vector<ArffAttribute> attributes;
  std::unordered_map<std::string, std::int64_t> line_of;
  bool has_relation = false;
  while (lines.next()) {
    lexer.begin();
    if (lexer.done()) continue;
    if (!lexer.sees('@')) fail_not_arff(lines);
    const std::string_view keyword = lexer.word(ArffLexer::kBlank).text;
    lexer.skip_blanks();
    if (equals_ignoring_case(keyword, "@attribute")) {
      ArffAttribute next = attribute(lexer, lines.number());
      const auto [first, is_new] = line_of.emplace(next.name, next.line);
      if (!is_new) {
        lines.fail(fmt::format("attribute {} is already declared in line {}, expected a name of its own",
                               in_quotes(next.name), first->second));
      }
      attributes.push_back(std::move(next));
    } else if (equals_ignoring_case(keyword, "@relation")) {
      if (has_relation) lines.fail("a second @relation, expected @attribute or @data");
      has_relation = true;
      // The name is of no use here, and people leave blanks in it without quotes; an open quote is still a mistake.
      if (lexer.sees('\'') || lexer.sees('"')) lexer.word(ArffLexer::kBlank);
    } else if (equals_ignoring_case(keyword, "@data")) {
      expect_end(lexer, "@data");
      if (attributes.empty()) lines.fail("@data without any @attribute before it, expected at least one");
      return attributes;
    } else {
      fail_not_arff(lines);
    }
  }
  lines.fail(fmt::format("the file ends without @data after {} attributes, expected @data and rows; is it cut off?",
                         attributes.size()));
}

}  // namespace mlpac
