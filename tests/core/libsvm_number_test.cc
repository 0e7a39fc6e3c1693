// The fast way to read numbers must give the float that std::from_chars gives, bit by bit.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "core/random.h"
#include "data/number.h"

namespace mlpac {
namespace {

/// Number of texts the fast way took.
class Comparison {
 public:
  void operator()(std::string_view text) {
    float expected = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
    float whole = 0;
    ASSERT_EQ(parse_number(text, whole), Number::good) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(whole), std::bit_cast<std::uint32_t>(expected)) << text;
    float fast = 0;
    const char* const after = scan_number(text.data(), text.data() + text.size(), fast);
    if (after == nullptr) return;
    ASSERT_EQ(after, text.data() + text.size()) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(fast), std::bit_cast<std::uint32_t>(expected)) << text;
    ++taken;
  }
  int taken = 0;
};

TEST(Number, RandomDecimalsAreRoundedAsFromCharsDoes) {
  constexpr int kTexts = 1'500'000;
  Comparison compare;
  std::string text;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    std::uint64_t bits = bits_at(11, i);
    const auto draw = [&](std::uint64_t below) {
      const std::uint64_t value = bits % below;
      bits /= below;
      return value;
    };
    text = draw(4) == 0 ? "-" : "";
    const std::size_t digits = 1 + draw(17);
    const std::size_t point = draw(digits + 1);
    const bool exponent = draw(3) == 0;
    const auto power = static_cast<int>(draw(40)) - 20;
    std::uint64_t more = bits_at(12, i);
    for (std::size_t k = 0; k < digits; ++k, more /= 10) {
      if (k == point) text += '.';
      text += static_cast<char>('0' + more % 10);
    }
    if (exponent) text += 'e' + std::to_string(power);
    ASSERT_NO_FATAL_FAILURE(compare(text));
  }
  EXPECT_GT(compare.taken, kTexts / 2);  // else the test compares a function with itself
}

TEST(Number, TextsNextToTheMiddleOfTwoFloatsAreRoundedOnce) {
  constexpr int kFloats = 400'000;
  Comparison compare;
  std::array<char, 64> text{};
  for (std::uint64_t i = 0; i < kFloats; ++i) {
    const auto bits = static_cast<std::uint32_t>(bits_at(13, i));
    const auto low = std::bit_cast<float>((100U + bits % 60U) << 23U | bits >> 9U);  // 2^-27 to 2^33
    const float high = std::nextafter(low, std::numeric_limits<float>::infinity());
    const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
    for (const int digits : {14, 15, 16}) {
      const int size = std::snprintf(text.data(), text.size(), "%.*g", digits, middle);
      ASSERT_NO_FATAL_FAILURE(compare(std::string_view(text.data(), static_cast<std::size_t>(size))));
    }
  }
  EXPECT_GT(compare.taken, kFloats);
}

TEST(Number, ShortFormsAreTakenByTheFastWay) {
  const auto value_of = [](std::string_view text) {
    float value = -7;
    EXPECT_EQ(scan_number(text.data(), text.data() + text.size(), value), text.data() + text.size()) << text;
    return value;
  };
  EXPECT_EQ(value_of("0"), 0.0F);
  EXPECT_TRUE(std::signbit(value_of("-0.0")));
  EXPECT_EQ(value_of("1."), 1.0F);
  EXPECT_EQ(value_of("+.5"), 0.5F);
  EXPECT_EQ(value_of("0.1"), 0.1F);
  EXPECT_EQ(value_of("-12.5E-1"), -1.25F);
  EXPECT_EQ(value_of("2e+3"), 2000.0F);
  EXPECT_EQ(value_of("123456789012345"), 123456789012345.0F);
}

TEST(Number, TheFastWayLeavesEverythingElse) {
  for (const std::string_view text :
       {"", "+", "-", ".", "-.", "e5", "1e", "1e+", "1e-x", "nan", "inf", "x", "+-1", "1e23", "1e-23", "1e9999",
        "123456789012345678901", "16777217", "9007199254740993"}) {
    float value = 0;
    EXPECT_EQ(scan_number(text.data(), text.data() + text.size(), value), nullptr) << text;
  }
}

TEST(Number, TheFastWayStopsWhereTheNumberEnds) {
  const std::string_view text = "1.5 2";
  float value = 0;
  EXPECT_EQ(scan_number(text.data(), text.data() + text.size(), value), text.data() + 3);
  EXPECT_EQ(value, 1.5F);
}

TEST(Number, TinyNumbersAre0AndHugeOnesTooLarge) {
  const std::string zeros(500, '0');
  for (const std::string& tiny :
       {std::string("1e-50"), std::string("-1e-400"), std::string("9.9e-99999999999999999999"), "0." + zeros + "1",
        "0." + zeros + "1e100", "1" + zeros + "e-900"}) {
    float value = 1;
    EXPECT_EQ(parse_number(tiny, value), Number::good) << tiny;
    EXPECT_EQ(value, 0) << tiny;
  }
  for (const std::string& huge : {std::string("1e39"), std::string("-1e400"), std::string("1e99999999999999999999"),
                                  "1" + zeros, "1" + zeros + "e-100", "0." + zeros + "1e900"}) {
    float value = 0;
    EXPECT_EQ(parse_number(huge, value), Number::too_large) << huge;
  }
  float value = 1;
  EXPECT_EQ(parse_number("0e99999999999999999999", value), Number::good);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(parse_number("1" + zeros + "e-500", value), Number::good);
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace mlpac
