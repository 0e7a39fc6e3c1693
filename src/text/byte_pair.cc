// Byte-level byte-pair encoding (Radford et al. 2019): GPT-2 and RoBERTa. Text is cut by GPT-2's pattern; the bytes of
// each piece are merged, always the pair that was learned first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/tokeniser.h"
#include "text/gpt2_pattern.h"
#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

namespace mlpac {
namespace {

/// The character that stands for a byte in the vocabulary: printable bytes for themselves, the others from U+0100 on.
std::array<char32_t, 256> byte_characters() {
  std::array<char32_t, 256> characters{};
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    characters[byte] = printable ? byte : next++;
  }
  return characters;
}

constexpr auto kSpecial = std::to_array<std::string_view>({"<s>", "</s>", "<pad>", "<unk>", "<mask>", "<|endoftext|>"});

class BytePair final : public Tokeniser {
 public:
  BytePair(TokenIds ids, std::string_view merges, const std::string& source, const std::string& merges_source)
      : ids_(std::move(ids)) {
    for (const std::string_view token : kSpecial) {
      const std::int32_t id = find_id(ids_, token);
      if (id >= 0) special_.add(std::string(token), id);
    }
    const bool roberta = find_id(ids_, "<s>") >= 0;
    separators_ = roberta ? 2 : 1;
    mask_ = find_id(ids_, "<mask>");
    start_ = required_id(ids_, roberta ? "<s>" : "<|endoftext|>", source);
    end_ = required_id(ids_, roberta ? "</s>" : "<|endoftext|>", source);
    unknown_ = required_id(ids_, roberta ? "<unk>" : "<|endoftext|>", source);
    const auto characters = byte_characters();
    for (std::size_t byte = 0; byte < characters.size(); ++byte) {
      std::string text;
      unicode::append(text, characters[byte]);
      bytes_[byte] = symbol(text);
    }
    read_merges(merges, merges_source);
    names_.clear();
  }

  void encode(std::string_view text, std::vector<std::int32_t>& ids) const override {
    std::vector<std::int32_t> symbols;
    std::string_view
        held;  // a part whose last blanks go if <mask> follows, which counts the blank before it as its own
    const auto put = [&](std::string_view part) {
      split_gpt2(part, [&](std::string_view piece) { put_piece(piece, symbols, ids); });
    };
    special_.split(
        text, [&](std::string_view part) { held = part; },
        [&](std::int32_t id) {
          put(id == mask_ ? without_last_blanks(held) : held);
          held = {};
          ids.push_back(id);
        });
    put(held);
  }

  std::int32_t id_of(std::string_view token) const override { return find_id(ids_, token); }
  std::int32_t vocabulary_size() const override { return static_cast<std::int32_t>(ids_.size()); }
  std::int32_t separators() const override { return separators_; }

 private:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  /// What a pair becomes, and how early it was learned.
  struct Merge {
    std::uint32_t rank = kNever;
    std::int32_t result = 0;
  };

  static std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U | static_cast<std::uint32_t>(right);
  }

  static std::string_view without_last_blanks(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size();) {
      const auto [code, bytes] = unicode::character_at(text, at);
      at += bytes;
      if (!unicode::is_white_space(code)) end = at;
    }
    return text.substr(0, end);
  }

  /// The number of a symbol, new ones included. Symbols are not ids: a merge may make one that is no token.
  std::int32_t symbol(const std::string& text) {
    const auto [entry, added] = names_.emplace(text, static_cast<std::int32_t>(token_of_.size()));
    if (added) {
      const std::int32_t id = find_id(ids_, text);
      token_of_.push_back(id < 0 ? unknown_ : id);
    }
    return entry->second;
  }

  void read_merges(std::string_view text, const std::string& source) {
    text = without_byte_order_mark(text);
    for (std::size_t line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view content = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (content.ends_with('\r')) content.remove_suffix(1);
      if (content.empty() || (line == 1 && content.starts_with("#version"))) continue;
      const std::size_t blank = content.find(' ');
      if (blank == 0 || blank == std::string_view::npos || blank + 1 == content.size() ||
          content.find(' ', blank + 1) != std::string_view::npos) {
        throw Error(
            fmt::format("{}:{}: {}, expected two symbols with a blank between them", source, line, in_quotes(content)));
      }
      const std::string left(content.substr(0, blank));
      const std::string right(content.substr(blank + 1));
      const std::int32_t l = symbol(left);
      const std::int32_t r = symbol(right);
      const std::int32_t both = symbol(left + right);
      merges_.emplace(pair_key(l, r), Merge{static_cast<std::uint32_t>(merges_.size()), both});
    }
  }

  Merge merge_of(std::int32_t left, std::int32_t right) const {
    const auto found = merges_.find(pair_key(left, right));
    return found == merges_.end() ? Merge{} : found->second;
  }

  void put_piece(std::string_view piece, std::vector<std::int32_t>& symbols, std::vector<std::int32_t>& ids) const {
    symbols.clear();
    for (const char c : piece) symbols.push_back(bytes_[static_cast<unsigned char>(c)]);
    while (symbols.size() > 1) {
      Merge best;
      std::size_t first = 0;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        const Merge merge = merge_of(symbols[i], symbols[i + 1]);
        if (merge.rank < best.rank) {
          best = merge;
          first = i;
        }
      }
      if (best.rank == kNever) break;
      // Every occurrence of the pair, from left to right.
      const std::int32_t left = symbols[first];
      const std::int32_t right = symbols[first + 1];
      std::size_t kept = first;
      for (std::size_t i = first; i < symbols.size(); ++i) {
        const bool pair = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
        symbols[kept++] = pair ? best.result : symbols[i];
        if (pair) ++i;
      }
      symbols.resize(kept);
    }
    for (const std::int32_t s : symbols) ids.push_back(token_of_[static_cast<std::size_t>(s)]);
  }

  std::int32_t unknown_ = 0;
  std::int32_t mask_ = -1;
  std::int32_t separators_ = 1;
  TokenIds ids_;
  TokenIds names_;  ///< symbols by name while merges are read
  std::array<std::int32_t, 256> bytes_{};
  std::vector<std::int32_t> token_of_;  ///< the id of each symbol
  std::unordered_map<std::uint64_t, Merge> merges_;
  SpecialTokens special_;
};

}  // namespace

std::unique_ptr<Tokeniser> make_byte_pair(std::string_view vocabulary, std::string_view merges,
                                          const std::string& vocabulary_source, const std::string& merges_source) {
  return std::make_unique<BytePair>(parse_vocabulary_json(vocabulary, vocabulary_source), merges, vocabulary_source,
                                    merges_source);
}

}  // namespace mlpac
