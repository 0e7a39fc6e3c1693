#include "data/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace mlpac {

Number parse_number(std::string_view text, float& value) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') {
    value = static_cast<float>(text[0] - '0');
    return Number::good;
  }
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars takes no plus sign
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return Number::malformed;
  if (error == std::errc::result_out_of_range) {
    double wide = 0;  // tells a tiny number, which is 0 here, from a huge one
    const auto again = std::from_chars(text.data(), last, wide);
    if (again.ec != std::errc() || std::abs(wide) >= 1) return Number::too_large;
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
