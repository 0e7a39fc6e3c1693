#include "data/tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "data/characters.h"
#include "data/text.h"

namespace mlpac {
namespace {

using enum CharacterKind;

/// What an ASCII byte adds to a word: the lower-case letter or the digit; 0 if it ends a word.
constexpr std::array<char, 128> word_bytes() {
  std::array<char, 128> bytes{};
  for (std::size_t i = '0'; i <= '9'; ++i) bytes.at(i) = static_cast<char>(i);
  for (std::size_t i = 'a'; i <= 'z'; ++i) {
    bytes.at(i) = static_cast<char>(i);
    bytes.at(i - 'a' + 'A') = static_cast<char>(i);
  }
  return bytes;
}
constexpr std::array<char, 128> kWordBytes = word_bytes();

bool is_ascii(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    if ((bytes & 0x8080808080808080ULL) != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

struct Character {
  char32_t code;
  std::size_t bytes;
};

/// The character at `at` of valid UTF-8.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const auto tail = [&](std::size_t i) { return byte(i) & 0x3FU; };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1FU) << 6U) | tail(1), 2};
  if (lead < 0xF0) return {((lead & 0xFU) << 12U) | (tail(1) << 6U) | tail(2), 3};
  return {((lead & 0x7U) << 18U) | (tail(1) << 12U) | (tail(2) << 6U) | tail(3), 4};
}

constexpr char32_t kTypographicApostrophe = 0x2019;

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  if (is_ascii(text)) return;
  converted_ = to_utf8(text);
  text_ = converted_;
}

void Tokens::append_character(char32_t code) {
  const auto tail = [&](unsigned shift) { append(static_cast<char>(0x80U | ((code >> shift) & 0x3FU))); };
  const std::size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  if (size_ + bytes > kLongestToken) cut_ = true;  // never half a character, and nothing behind the gap
  if (bytes == 1) {
    append(static_cast<char>(code));
  } else if (bytes == 2) {
    append(static_cast<char>(0xC0U | (code >> 6U)));
    tail(0);
  } else if (bytes == 3) {
    append(static_cast<char>(0xE0U | (code >> 12U)));
    tail(6);
    tail(0);
  } else {
    append(static_cast<char>(0xF0U | (code >> 18U)));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool Tokens::word_goes_on(std::size_t at) const {
  if (at >= text_.size()) return false;
  const char32_t code = character_at(text_, at).code;
  return code < 0x80 ? kWordBytes[code] != 0 : kind_of(code) == letter;
}

bool Tokens::next() {
  size_ = 0;
  cut_ = false;
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80 && kWordBytes[byte] != 0) {
      append(kWordBytes[byte]);
      ++at_;
      continue;
    }
    const Character character = character_at(text_, at_);
    const std::size_t after = at_ + character.bytes;
    const bool apostrophe = byte == '\'' || character.code == kTypographicApostrophe;
    const CharacterKind kind = byte < 0x80 ? separator : kind_of(character.code);
    if (kind == letter) {
      append_character(lower(character.code));
    } else if (apostrophe && size_ > 0 && word_goes_on(after)) {
      append('\'');
    } else if (kind != dropped) {
      if (size_ > 0 && kind == single) return true;  // it begins the next token
      at_ = after;
      if (kind == single) append_character(character.code);
      if (size_ > 0) return true;
      continue;
    }
    at_ = after;
  }
  return size_ > 0;
}

}  // namespace mlpac
