#include "data/csv_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {

void undouble_quotes(std::string_view text, std::string& value) {
  value.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    value += text[i];
    if (text[i] == '"') ++i;
  }
}

std::string CsvField::value() const {
  if (!doubled) return std::string(text);
  std::string value;
  undouble_quotes(text, value);
  return value;
}

namespace {

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

std::int64_t line_feeds(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

/// The first of two bytes from `at` on, or `limit`. Fields are a few bytes long, so a loop over single bytes would
/// mispredict its end in nearly every field; this one looks at eight at a time.
const char* find_either(const char* at, const char* limit, char a, char b) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHighs = 0x8080808080808080;
    const std::uint64_t all_a = kOnes * static_cast<unsigned char>(a);
    const std::uint64_t all_b = kOnes * static_cast<unsigned char>(b);
    // The lowest bit that is set is that of the first zero byte.
    const auto zero_bytes = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes & kHighs; };
    while (limit - at >= 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      const std::uint64_t found = zero_bytes(bytes ^ all_a) | zero_bytes(bytes ^ all_b);
      if (found != 0) return at + std::countr_zero(found) / 8;
      at += 8;
    }
  }
  while (at != limit && *at != a && *at != b) ++at;
  return at;
}

bool opens_quote(const char* at, const char* limit) {
  while (at != limit && *at == ' ') ++at;
  return at != limit && *at == '"';
}

std::string_view name_of(char delimiter) {
  switch (delimiter) {
    case '\t':
      return "tab";
    case ';':
      return "semicolon";
    case '|':
      return "|";
    default:
      return "comma";
  }
}

}  // namespace

std::size_t CsvShape::most() const {
  return static_cast<std::size_t>(std::max_element(std::begin(counts), std::end(counts)) - std::begin(counts));
}

CsvShape csv_shape(std::string_view text) {
  CsvShape shape;
  bool quoted = false;
  bool field_begins = true;
  for (const char c : text) {
    ++shape.size;
    if (quoted) {
      quoted = c != '"';  // a doubled quote closes and, as the next byte, opens again
      if (!quoted) field_begins = true;
      continue;
    }
    if (c == '\n') {
      shape.complete = true;
      break;
    }
    if (c == '"' && field_begins) {
      quoted = true;
      continue;
    }
    const std::size_t at = CsvShape::kDelimiters.find(c);
    if (at != std::string_view::npos) ++shape.counts[at];
    field_begins = at != std::string_view::npos || (c == ' ' && field_begins);
  }
  return shape;
}

CsvScanner::CsvScanner(std::string_view text, std::string source, char delimiter)
    : text_(without_byte_order_mark(text)), source_(std::move(source)), delimiter_(delimiter) {
  const std::size_t zero = text_.find('\0');
  if (zero != std::string_view::npos) {
    fail_at(
        1 + line_feeds(text_.substr(0, zero)),
        "the line contains a zero byte, expected text; is this a binary file, or UTF-16 that must be saved as UTF-8?");
  }
}

void CsvScanner::fail_at(std::int64_t line, std::string_view message) const {
  throw Error(fmt::format("{}:{}: {}", source_, line, message));
}

void CsvScanner::fail_count() const {
  if (columns_ == 0) fail(fmt::format("the record has more than {} fields, expected fewer", kMostColumns));
  fail(
      fmt::format("the row has {} field{}, expected {} as in the first record; the delimiter is the {}, and a value "
                  "that contains it needs quotes",
                  count_, count_ == 1 ? "" : "s", columns_, name_of(delimiter_)));
}

void CsvScanner::begin_rows(bool with_current) {
  columns_ = count_;
  rows_ = with_current ? record_ : next_;
}

void CsvScanner::skip_empty_lines() {
  while (next_.at < text_.size()) {
    std::size_t at = next_.at;
    if (text_[at] == '\r') ++at;
    if (at < text_.size() && text_[at] != '\n') return;
    next_.at = std::min(at + 1, text_.size());
    ++next_.line;
  }
}

bool CsvScanner::next() {
  skip_empty_lines();
  if (next_.at == text_.size()) return false;
  record_ = next_;
  line_ = next_.line;
  const char* const end = text_.data() + text_.size();
  const char* at = text_.data() + next_.at;
  const char* const limit = text_.size() - next_.at > kLongestRecord ? at + kLongestRecord : end;
  const std::size_t most = columns_ == 0 ? kMostColumns : columns_;
  count_ = 0;
  CsvField extra;  // fields of a record that is refused for their number are not kept: there may be very many
  for (;;) {
    if (count_ == fields_.size() && count_ < most) fields_.emplace_back();
    CsvField& field = count_ < most ? fields_[count_] : extra;
    const bool quoted = at != limit && (*at == '"' || *at == ' ') && opens_quote(at, limit);
    at = quoted ? quoted_field(at, limit, field) : plain_field(at, limit, field);
    if (at == limit && limit != end) {
      fail("the record is longer than 256 MB, expected lines of text; is this a binary file?");
    }
    ++count_;
    if (at == end || *at == '\n') break;
    ++at;
  }
  next_.at = static_cast<std::size_t>(at - text_.data()) + (at == end ? 0 : 1);
  ++next_.line;
  if (columns_ == 0 ? count_ > most : count_ != columns_) fail_count();
  fields_.resize(count_);  // a shorter record than the one before must not keep its fields
  return true;
}

const char* CsvScanner::plain_field(const char* at, const char* limit, CsvField& field) const {
  const char* const begin = at;
  at = find_either(at, limit, delimiter_, '\n');
  field.raw = between(begin, at);
  const bool line_ends = at == limit || *at == '\n';
  if (line_ends && !field.raw.empty() && field.raw.back() == '\r') field.raw.remove_suffix(1);
  field.text = field.raw;
  field.doubled = false;
  return at;
}

const char* CsvScanner::quoted_field(const char* at, const char* limit, CsvField& field) {
  const char* const begin = at;
  const std::int64_t opened = next_.line;
  while (*at == ' ') ++at;
  const char* const text = ++at;
  field.doubled = false;
  for (;;) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(limit - at)));
    if (at == nullptr) {
      fail_at(opened, fmt::format("the quote before {} is not closed {}, expected a quote at the end of the value; a "
                                  "quote inside it is written twice",
                                  in_quotes(between(text, limit)),
                                  limit == text_.data() + text_.size() ? "in the rest of the file" : "within 256 MB"));
    }
    if (at + 1 == limit || at[1] != '"') break;
    field.doubled = true;
    at += 2;
  }
  field.text = between(text, at);
  next_.line += line_feeds(field.text);
  ++at;
  while (at != limit && *at == ' ') ++at;
  field.raw = between(begin, at);
  if (at != limit && *at == '\r' && (at + 1 == limit || at[1] == '\n')) ++at;
  if (at != limit && *at != delimiter_ && *at != '\n') {
    fail_at(opened,
            fmt::format("{} follows the closing quote of a value, expected the delimiter ({}) or the end of the "
                        "line; a quote inside a value is written twice",
                        in_quotes(between(at, limit)), name_of(delimiter_)));
  }
  return at;
}

}  // namespace mlpac
