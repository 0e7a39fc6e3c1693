#include "data/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace mlpac {
namespace {

/// The powers of ten that are exact in double.
constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr auto kLargestPower = static_cast<std::int64_t>(kPowersOfTen.size()) - 1;
/// More digits would not fit into 64 bits.
constexpr std::ptrdiff_t kMostDigits = 19;
/// No text that fits into memory has as many digits.
constexpr std::int64_t kHugeExponent = std::int64_t{1} << 60U;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Appends the digits at `at` to `digits`; the result is only meaningful if there are not too many in all.
const char* scan_digits(const char* at, const char* last, std::uint64_t& digits) {
  for (; at != last && is_digit(*at); ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  return at;
}

/// Tells a number too small for float32 from one too large, however long its text or its exponent is.
bool below_one(std::string_view text) {
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent_at);
  const std::size_t first = digits.find_first_of("123456789");
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  if (first == std::string_view::npos) return true;
  const auto place = static_cast<std::int64_t>(first);
  // The number is 0.ddd times ten to the power of `order`.
  const std::int64_t order = place < point ? point - place : point + 1 - place;
  if (exponent_at == std::string_view::npos) return order <= 0;
  std::string_view written = text.substr(exponent_at + 1);
  const bool minus = written.front() == '-';
  if (minus || written.front() == '+') written.remove_prefix(1);
  std::int64_t exponent = 0;
  if (!parse_index(written, exponent) || exponent > kHugeExponent) return minus;
  return order + (minus ? -exponent : exponent) <= 0;
}

/// The exponent after the letter e; null if it is malformed or long.
const char* scan_exponent(const char* at, const char* last, std::int64_t& exponent) {
  const bool minus = at != last && *at == '-';
  if (at != last && (*at == '-' || *at == '+')) ++at;
  std::uint64_t digits = 0;
  const char* const end = scan_digits(at, last, digits);
  if (end == at || end - at > 3) return nullptr;
  exponent = minus ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
  return end;
}

}  // namespace

const char* scan_number(const char* first, const char* last, float& value) {
  if constexpr (FLT_EVAL_METHOD != 0) return nullptr;  // the proof below needs plain double arithmetic
  const char* at = first;
  const bool minus = at != last && *at == '-';
  if (at != last && (*at == '-' || *at == '+')) ++at;
  const char* const digits_begin = at;
  std::uint64_t digits = 0;
  at = scan_digits(at, last, digits);
  std::ptrdiff_t count = at - digits_begin;
  std::int64_t exponent = 0;
  if (at != last && *at == '.') {
    const char* const fraction = at + 1;
    at = scan_digits(fraction, last, digits);
    exponent = fraction - at;
    count += at - fraction;
  }
  if (count == 0 || count > kMostDigits || digits > (std::uint64_t{1} << 53U)) return nullptr;
  if (at != last && (*at == 'e' || *at == 'E')) {
    std::int64_t written = 0;
    at = scan_exponent(at + 1, last, written);
    if (at == nullptr) return nullptr;
    exponent += written;
  }
  if (exponent < -kLargestPower || exponent > kLargestPower) return nullptr;
  // Digits and power are exact in double, so the one operation on them is rounded exactly: `wide` is the double nearest
  // to the number, between 1e-22 and 1e38 or 0, where floats are normal. Rounding it again to float can differ from
  // rounding the number at once only if `wide` lies halfway between two floats (a double itself, so rounding to double
  // cannot have crossed it): then the last 29 of its 53 bits are 1 and 28 zeros.
  const auto mantissa = static_cast<double>(digits);
  const double wide = exponent < 0 ? mantissa / kPowersOfTen[static_cast<std::size_t>(-exponent)]
                                   : mantissa * kPowersOfTen[static_cast<std::size_t>(exponent)];
  constexpr std::uint64_t kRest = (std::uint64_t{1} << 29U) - 1;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 28U;
  if ((std::bit_cast<std::uint64_t>(wide) & kRest) == kHalf) return nullptr;
  value = static_cast<float>(minus ? -wide : wide);
  return at;
}

Number parse_number(std::string_view text, float& value) {
  const char* const last = text.data() + text.size();
  float fast = 0;
  if (!text.empty() && scan_number(text.data(), last, fast) == last) {
    value = fast;
    return Number::good;
  }
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars takes no plus sign
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return Number::malformed;
  if (error == std::errc::result_out_of_range) {
    if (!below_one(text)) return Number::too_large;
    value = 0;
  }
  return std::isfinite(value) ? Number::good : Number::malformed;
}

bool parse_index(std::string_view text, std::int64_t& value) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return end == last && error == std::errc();
}

}  // namespace mlpac
