#include "data/table_value.h"

#include <algorithm>
#include <array>
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

/// A short decimal number without exponent, by far the most frequent kind. Its digits and the power of ten are exact in
/// float32, so one division rounds as the general method does. False: ask that one.
bool parse_short_number(std::string_view text, float& value) {
  constexpr std::uint32_t kExact = 1U << 24U;
  constexpr std::array<float, 8> kPowers{1, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F};
  constexpr std::array<float, 2> kSigns{1, -1};  // a table, because a branch on the sign is mispredicted half the time
  const std::size_t negative = !text.empty() && text.front() == '-' ? 1 : 0;
  text.remove_prefix(negative);
  if (text.empty() || text.size() > kPowers.size() + 1) return false;
  std::uint32_t digits = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = static_cast<std::uint32_t>(text[i]) - std::uint32_t{'0'};
    if (digit <= 9) {
      digits = 10 * digits + digit;
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  const std::size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  if (digits > kExact || decimals >= kPowers.size() || (point == 0 && decimals == 0)) return false;
  value = kSigns[negative] * static_cast<float>(digits) / kPowers[decimals];
  return true;
}

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
  std::string_view text = field.text;
  if (!text.empty() && (text.front() <= ' ' || text.back() <= ' ')) text = trim(text);  // also of bytes above 127
  if (field.doubled) {
    undouble_quotes(text, scratch_);
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
  if (parse_short_number(field.text, value)) return Cell::number;
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
