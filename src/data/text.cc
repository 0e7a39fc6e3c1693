#include "data/text.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mlpac {
namespace {

constexpr std::size_t kMessageBytes = 60;

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Length of the UTF-8 character at `at`; 0 if the bytes there are none (overlong, surrogate, cut off).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const std::uint32_t lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80) return 0;
  }
  const std::uint32_t second = byte_at(text, at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool append_utf8(std::string& text, std::uint32_t code) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) break;
    at += length;
  }
  if (at >= text.size()) return std::string(text);
  std::string converted;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!append_utf8(converted, byte_at(text, i))) converted += text[i];  // NUL stays as it is
  }
  return converted;
}

std::string in_quotes(std::string_view text) {
  // Converting a huge token only to cut it would be wasteful; four bytes per character are the most that is needed.
  const std::string whole = to_utf8(text.substr(0, 4 * kMessageBytes));
  std::string shown = "'";
  std::size_t at = 0;
  while (at < whole.size() && at < kMessageBytes) {
    const std::size_t length = utf8_length(whole, at);
    const std::uint32_t byte = byte_at(whole, at);
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02X}", byte);
    } else {
      shown.append(whole, at, length);
    }
    at += length;
  }
  shown += at < whole.size() ? "...'" : "'";
  return shown;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower_ascii(text[i]) != lower[i]) return false;
  }
  return true;
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  // Greedy: after a mismatch the last star takes one character more.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

}  // namespace mlpac
