#include "text/unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode_tables.h"

namespace mlpac::unicode {
namespace {

// Hangul syllables are numbered by their parts (Unicode, chapter 3.12).
constexpr char32_t kSyllable = 0xAC00;
constexpr char32_t kLeading = 0x1100;
constexpr char32_t kVowel = 0x1161;
constexpr char32_t kTrailing = 0x11A7;
constexpr char32_t kVowels = 21;
constexpr char32_t kTrailings = 28;
constexpr char32_t kSyllables = 19 * kVowels * kTrailings;

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + size > text.size()) return {kReplacement, 1};
  std::uint32_t code = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint32_t next = byte(at + i);
    if ((next & 0xC0U) != 0x80U) return {kReplacement, 1};
    code = (code << 6U) | (next & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {kReplacement, 1};
  return {code, size};
}

void append(std::string& text, char32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

Kind kind_of(char32_t code) {
  const auto ranges = kind_ranges();
  // The largest key of this code point: its range is the last one that does not begin behind it.
  const std::uint32_t key = static_cast<std::uint32_t>(code) * 8 + 7;
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), key);
  return static_cast<Kind>(*std::prev(next) & 7U);
}

bool is_white_space(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
  return code == 0x85 || code == 0x2028 || code == 0x2029 || kind_of(code) == Kind::space;
}

char32_t lower(char32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 0x20 : code;
  if (code == 0x130) return 'i';
  const auto runs = lower_runs();
  const auto next =
      std::upper_bound(runs.begin(), runs.end(), code, [](char32_t c, const LowerRun& r) { return c < r.first; });
  if (next == runs.begin()) return code;
  const LowerRun& run = *std::prev(next);
  if (code <= run.last && (code - run.first) % run.step == 0) {
    return static_cast<char32_t>(static_cast<std::int32_t>(code) + run.difference);
  }
  return code;
}

void append_base(std::vector<char32_t>& text, char32_t code) {
  if (code < 0xC0) {
    text.push_back(code);
    return;
  }
  if (code >= kSyllable && code < kSyllable + kSyllables) {
    const char32_t number = code - kSyllable;
    text.push_back(kLeading + number / (kVowels * kTrailings));
    text.push_back(kVowel + number / kTrailings % kVowels);
    if (number % kTrailings != 0) text.push_back(kTrailing + number % kTrailings);
    return;
  }
  const auto table = bases();
  const std::uint64_t key = static_cast<std::uint64_t>(code) << 32U;
  auto entry = std::lower_bound(table.begin(), table.end(), key,
                                [](std::uint64_t e, std::uint64_t k) { return (e >> 32U) < (k >> 32U); });
  if (entry == table.end() || *entry >> 32U != code) {
    if (kind_of(code) != Kind::mark) text.push_back(code);
    return;
  }
  for (; entry != table.end() && *entry >> 32U == code; ++entry) text.push_back(static_cast<char32_t>(*entry));
}

}  // namespace mlpac::unicode
