// The pattern by which GPT-2 cuts text into pieces, written out because std::regex knows no Unicode:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#pragma once

#include <cstddef>
#include <string_view>

namespace mlpac {

/// Bytes of the first piece of a text that is not empty.
std::size_t first_gpt2_piece(std::string_view text);

/// Calls put(piece) for each piece; together they are the whole text.
template <typename Put>
void split_gpt2(std::string_view text, const Put& put) {
  while (!text.empty()) {
    const std::size_t size = first_gpt2_piece(text);
    put(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace mlpac
