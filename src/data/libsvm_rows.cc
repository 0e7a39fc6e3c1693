#include "data/libsvm_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "data/libsvm_lines.h"
#include "data/line_reader.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

/// Digits of an index that surely fit into 64 bits.
constexpr std::ptrdiff_t kIndexDigits = 18;
/// The shortest value is `1:2` and a blank.
constexpr std::size_t kValueBytes = 4;
/// So much of a file tells how many values the rest will have.
constexpr std::size_t kSampleBytes = std::size_t{1} << 20U;

bool is_missing(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);  // printf writes -nan
  return equals_ignoring_case(text, "nan");
}

std::string_view token_at(const char* at, const char* end) {
  return {at, static_cast<std::size_t>(std::find_if(at, end, ends_libsvm_token) - at)};
}

}  // namespace

LibsvmRows::LibsvmRows(const std::optional<LibsvmShape>& shape, std::size_t bytes, const LineReader& lines,
                       FeatureMatrix& matrix)
    : lines_(&lines),
      matrix_(&matrix),
      builder_(matrix),
      declared_(shape.has_value()),
      limit_(shape ? shape->features : kMostLibsvmFeatures),
      bytes_(bytes) {}

void LibsvmRows::reserve(std::size_t row_bytes) {
  const std::size_t size = matrix_->values.size();
  const std::size_t needed = size + row_bytes / kValueBytes + 1;
  bytes_read_ += row_bytes + 1;
  if (needed <= matrix_->values.capacity()) return;
  std::size_t target = std::max(needed, size + size / 2);
  if (bytes_read_ > kSampleBytes && bytes_read_ < bytes_) {
    const double rest = static_cast<double>(bytes_) / static_cast<double>(bytes_read_);
    // An eighth more costs nothing: memory that is never touched is never taken.
    target = std::max(target, static_cast<std::size_t>(1.125 * rest * static_cast<double>(size)));
  }
  matrix_->indices.reserve(target);
  matrix_->values.reserve(target);
}

void LibsvmRows::add_row(std::string_view features) {
  reserve(features.size());
  const std::size_t first = matrix_->indices.size();
  bool zeros = false;
  const char* at = features.data();
  const char* const end = at + features.size();
  while (true) {
    while (at != end && is_libsvm_blank(*at)) ++at;
    if (at == end || *at == '#') break;
    const char* const token = at;
    std::int64_t index = 0;
    while (at != end && *at >= '0' && *at <= '9' && at - token < kIndexDigits) index = 10 * index + (*at++ - '0');
    if (at != end && *at == ':' && at != token) {
      ++at;
    } else {
      at = token;
      index = unusual_index(at, end);
      if (index < 0) continue;
    }
    if (index >= limit_) fail_range(index);
    float value = 0;
    const char* const after = scan_number(at, end, value);
    if (after != nullptr && (after == end || ends_libsvm_token(*after))) {
      at = after;
    } else {
      value = unusual_value(at, end, index);
    }
    largest_ = std::max(largest_, index);
    zeros = zeros || value == 0;
    builder_.put(static_cast<std::int32_t>(index), value);
  }
  const std::int32_t twice = builder_.end_row();
  if (twice >= 0) lines_->fail(fmt::format("index {} is given twice in this row, expected once", twice));
  if (zeros) drop_zeros(first);
}

std::int64_t LibsvmRows::unusual_index(const char*& at, const char* end) const {
  const std::string_view token = token_at(at, end);
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) {
    lines_->fail(
        fmt::format("{} is no feature, expected index:value; labels come first, separated by commas without blanks",
                    in_quotes(token)));
  }
  std::int64_t index = 0;
  const std::string_view digits = token.substr(0, colon);
  if (digits == "qid" && parse_index(token.substr(colon + 1), index)) {
    at += token.size();
    return -1;
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    lines_->fail(fmt::format("{} is no index of a feature, expected a whole number from 0", in_quotes(digits)));
  }
  if (!parse_index(digits, index)) index = std::numeric_limits<std::int64_t>::max();
  at += colon + 1;
  return index;
}

float LibsvmRows::unusual_value(const char*& at, const char* end, std::int64_t index) const {
  const std::string_view text = token_at(at, end);
  at += text.size();
  if (is_missing(text)) return std::numeric_limits<float>::quiet_NaN();
  float value = 0;
  const Number result = parse_number(text, value);
  if (result != Number::good) {
    lines_->fail(fmt::format("index {} has the value {}, expected a {}number; write nan for a missing value", index,
                             in_quotes(text), result == Number::too_large ? "smaller " : ""));
  }
  return value;
}

void LibsvmRows::drop_zeros(std::size_t first) {
  std::size_t kept = first;
  for (std::size_t i = first; i < matrix_->values.size(); ++i) {
    if (matrix_->values[i] == 0) continue;
    matrix_->indices[kept] = matrix_->indices[i];
    matrix_->values[kept] = matrix_->values[i];
    ++kept;
  }
  matrix_->indices.resize(kept);
  matrix_->values.resize(kept);
  matrix_->offsets.back() = static_cast<std::int64_t>(kept);
}

void LibsvmRows::fail_range(std::int64_t index) const {
  if (declared_) {
    lines_->fail(fmt::format("index {} is out of range, the header declares {} features, expected 0 to {}", index,
                             limit_, limit_ - 1));
  }
  lines_->fail(
      fmt::format("index {} is too large, expected at most {}; number the features without gaps", index, limit_ - 1));
}

void LibsvmRows::finish() {
  matrix_->columns = static_cast<std::int32_t>(declared_ ? limit_ : largest_ + 1);
  if (matrix_->columns == 0) lines_->fail("no row has a feature, expected index:value; is this a libsvm file?");
}

}  // namespace mlpac
