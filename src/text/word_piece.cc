// BERT's tokeniser: clean-up and splitting of text, then greedy WordPiece (Schuster and Nakajima 2012), step by step
// as Hugging Face's BasicTokenizer and WordpieceTokenizer do it, because ids must be those of the pre-training.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlpac/tokeniser.h"
#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

namespace mlpac {
namespace {

using unicode::Kind;

constexpr std::size_t kLongestWord = 100;  // characters; a longer word is unknown as a whole

constexpr auto kSpecial = std::to_array<std::string_view>({"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"});

/// The blocks of Chinese characters: each is a word, since these texts have no blanks. Kana and Hangul are not meant.
bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

/// Category P, and all ASCII signs, of which Unicode calls some symbols.
bool is_punctuation(char32_t c) {
  if (c < 0x80)
    return c > ' ' && c < 0x7F && unicode::kind_of(c) != Kind::letter && unicode::kind_of(c) != Kind::number;
  return unicode::kind_of(c) == Kind::punctuation;
}

class WordPiece final : public Tokeniser {
 public:
  WordPiece(TokenIds ids, bool uncased, const std::string& source) : uncased_(uncased), starts_(std::move(ids)) {
    for (const std::string_view token : kSpecial) {
      const std::int32_t id = find_id(starts_, token);
      if (id >= 0) special_.add(std::string(token), id);
    }
    unknown_ = required_id(starts_, "[UNK]", source);
    start_ = required_id(starts_, "[CLS]", source);
    end_ = required_id(starts_, "[SEP]", source);
    for (const auto& [token, id] : starts_) {
      longest_ = std::max(longest_, token.size());
      if (token.size() > 2 && token.starts_with("##")) continuations_.emplace(token.substr(2), id);
    }
  }

  void encode(std::string_view text, std::vector<std::int32_t>& ids) const override {
    special_.split(
        text, [&](std::string_view part) { encode_plain(part, ids); }, [&](std::int32_t id) { ids.push_back(id); });
  }

  std::int32_t id_of(std::string_view token) const override { return find_id(starts_, token); }
  std::int32_t vocabulary_size() const override { return static_cast<std::int32_t>(starts_.size()); }
  std::int32_t separators() const override { return 1; }

 private:
  void encode_plain(std::string_view text, std::vector<std::int32_t>& ids) const {
    std::vector<char32_t> word;
    std::vector<char32_t> bases;
    const auto finish = [&] {
      if (!word.empty()) put_word(word, ids);
      word.clear();
    };
    const auto single = [&](char32_t code) {
      finish();
      word.push_back(code);
      finish();
    };
    for (std::size_t at = 0; at < text.size();) {
      const auto [code, bytes] = unicode::character_at(text, at);
      at += bytes;
      const bool line_blank = code == '\t' || code == '\n' || code == '\r';
      if (!line_blank && (code == 0 || code == unicode::kReplacement || unicode::kind_of(code) == Kind::control)) {
        continue;  // gone, without ending the word
      }
      if (unicode::is_white_space(code)) {
        finish();
        continue;
      }
      bases.clear();
      if (uncased_) {
        unicode::append_base(bases, unicode::lower(code));
      } else {
        bases.push_back(code);
      }
      // A Chinese character is set apart before accents go, so what it decomposes into stays one word.
      const bool apart = is_chinese(code);
      if (apart) finish();
      for (const char32_t base : bases) {
        if (is_punctuation(base)) {
          single(base);
        } else {
          word.push_back(base);
        }
      }
      if (apart) finish();
    }
    finish();
  }

  /// The longest token that begins the word, then the longest continuation, and so on; unknown if anything is left.
  void put_word(std::span<const char32_t> word, std::vector<std::int32_t>& ids) const {
    if (word.size() > kLongestWord) {
      ids.push_back(unknown_);
      return;
    }
    std::string text;
    std::array<std::size_t, kLongestWord + 1> offsets{};  // of characters in bytes
    for (std::size_t i = 0; i < word.size(); ++i) {
      unicode::append(text, word[i]);
      offsets[i + 1] = text.size();
    }
    const std::size_t before = ids.size();
    for (std::size_t begin = 0; begin < word.size();) {
      const TokenIds& table = begin == 0 ? starts_ : continuations_;
      std::int32_t id = -1;
      std::size_t end = word.size();
      for (; end > begin; --end) {
        const std::size_t size = offsets[end] - offsets[begin];
        if (size > longest_) continue;
        id = find_id(table, std::string_view(text).substr(offsets[begin], size));
        if (id >= 0) break;
      }
      if (id < 0) {
        ids.resize(before);
        ids.push_back(unknown_);
        return;
      }
      ids.push_back(id);
      begin = end;
    }
  }

  bool uncased_;
  std::int32_t unknown_ = 0;
  std::size_t longest_ = 0;  ///< bytes of the longest token
  TokenIds starts_;          ///< the whole vocabulary
  TokenIds continuations_;   ///< the tokens that begin with ##, without it
  SpecialTokens special_;
};

}  // namespace

std::unique_ptr<Tokeniser> make_word_piece(std::string_view vocabulary, bool uncased, const std::string& source) {
  return std::make_unique<WordPiece>(parse_vocabulary_lines(vocabulary, source), uncased, source);
}

}  // namespace mlpac
