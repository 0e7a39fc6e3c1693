#include "data/table_value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/arff_encoding.h"
#include "data/csv_scanner.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

bool is_infinite(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity");
}

/// 1,5 as written in much of Europe.
bool has_decimal_comma(std::string_view text) {
  constexpr std::size_t kLongestNumber = 40;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.size() > kLongestNumber) return false;
  std::string with_point(text);
  with_point[comma] = '.';
  float value = 0;
  return parse_number(with_point, value) != Number::malformed;
}

}  // namespace

std::string_view CellText::operator()(const CsvField& field) {
  std::string_view text = trim(field.text);
  if (field.doubled) {
    std::string single;
    single.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      single += text[i];
      if (text[i] == '"') ++i;
    }
    scratch_ = std::move(single);
    text = scratch_;
  }
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  if (ascii) return text;
  scratch_ = to_utf8(text);
  return scratch_;
}

bool is_missing(std::string_view text) {
  switch (text.size()) {
    case 0:
      return true;
    case 1:
      return text.front() == '?';
    case 2:
      return equals_ignoring_case(text, "na");
    case 3:
      return equals_ignoring_case(text, "nan") || equals_ignoring_case(text, "n/a");
    case 4:
      return equals_ignoring_case(text, "null") || equals_ignoring_case(text, "none");
    default:
      return false;
  }
}

Cell read_cell(const CsvField& field, CellText& text, float& value) {
  if (parse_number(field.text, value) == Number::good) return Cell::number;
  const std::string_view cell = text(field);
  if (is_missing(cell)) return Cell::missing;
  switch (parse_number(cell, value)) {
    case Number::good:
      return Cell::number;
    case Number::too_large:
      return Cell::wrong_number;
    case Number::malformed:
      break;
  }
  return is_infinite(cell) || has_decimal_comma(cell) ? Cell::wrong_number : Cell::word;
}

bool parse_label_cell(std::string_view text, std::int8_t& state) {
  std::int32_t code = kUnknown;
  float number = 0;
  if (!is_missing(text) && !parse_label_state(text, code)) {
    if (parse_number(text, number) != Number::good || (number != 1 && number != 0 && number != -1)) return false;
    code = static_cast<std::int32_t>(number);
  }
  state = static_cast<std::int8_t>(code);
  return true;
}

}  // namespace mlpac
