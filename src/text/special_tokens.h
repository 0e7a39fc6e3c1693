// Special tokens inside a text: they are cut out before anything else looks at it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mlpac {

class SpecialTokens {
 public:
  void add(std::string token, std::int32_t id) { tokens_.emplace_back(std::move(token), id); }

  /// Calls plain(part) for each part between special tokens that is not empty and special(id) for each of those,
  /// in the order of the text.
  template <typename Plain, typename Special>
  void split(std::string_view text, const Plain& plain, const Special& special) const {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
      const auto* found = token_at(text.substr(at));
      if (found == nullptr) {
        ++at;
        continue;
      }
      if (at > begin) plain(text.substr(begin, at - begin));
      special(found->second);
      at += found->first.size();
      begin = at;
    }
    if (begin < text.size()) plain(text.substr(begin));
  }

 private:
  const std::pair<std::string, std::int32_t>* token_at(std::string_view text) const {
    if (text.front() != '[' && text.front() != '<') return nullptr;  // what all of them begin with
    for (const auto& token : tokens_) {
      if (text.starts_with(token.first)) return &token;
    }
    return nullptr;
  }

  std::vector<std::pair<std::string, std::int32_t>> tokens_;
};

}  // namespace mlpac
