// Sub-word tokenisers of pre-trained encoders: text to the ids their embeddings are indexed by.
//
// WordPiece (BERT, cased and uncased) and byte-level BPE (RoBERTa, GPT-2) give the ids of Hugging Face's tokenisers.
// A Tokeniser is immutable, so several threads can share one; each thread keeps the words it has seen in a WordCache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mlpac {

class Tokeniser {
 public:
  Tokeniser() = default;
  Tokeniser(const Tokeniser&) = delete;
  Tokeniser& operator=(const Tokeniser&) = delete;
  virtual ~Tokeniser() = default;

  /// Appends the ids of a text; nothing is put before or after it. Special tokens in the text, such as [MASK], are
  /// their ids. Bytes that are no UTF-8 count as unknown characters.
  virtual void encode(std::string_view text, std::vector<std::int32_t>& ids) const = 0;

  /// The id of one entry of the vocabulary, or -1.
  virtual std::int32_t id_of(std::string_view token) const = 0;
  virtual std::int32_t vocabulary_size() const = 0;

  /// What an encoder expects before and after a sequence: [CLS] and [SEP], or <s> and </s>.
  std::int32_t start_id() const { return start_; }
  std::int32_t end_id() const { return end_; }
  /// End tokens between two parts of a sequence: one for BERT, two for RoBERTa.
  virtual std::int32_t separators() const = 0;

 protected:
  std::int32_t start_ = 0;
  std::int32_t end_ = 0;
};

/// Ids of words already seen. Most words of a text are repetitions, so a cache saves most of the work. Not for use by
/// two threads at once.
class WordCache {
 public:
  explicit WordCache(const Tokeniser& tokeniser) : tokeniser_(tokeniser) {}
  /// The ids of a word; valid until the next call.
  std::span<const std::int32_t> encode(std::string_view word);
  const Tokeniser& tokeniser() const { return tokeniser_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  /// Ids of a word within `ids_`: many short lists in one vector.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  const Tokeniser& tokeniser_;
  std::vector<std::int32_t> ids_;
  std::unordered_map<std::string, Range, Hash, std::equal_to<>> words_;
};

/// WordPiece from a vocabulary of one token per line; the message of an Error names `source`. Uncased: letters are
/// lowered and lose their accents.
std::unique_ptr<Tokeniser> make_word_piece(std::string_view vocabulary, bool uncased, const std::string& source);

/// Byte-level BPE from the texts of vocab.json and merges.txt.
std::unique_ptr<Tokeniser> make_byte_pair(std::string_view vocabulary, std::string_view merges,
                                          const std::string& vocabulary_source, const std::string& merges_source);

/// Reads a folder in Hugging Face's layout: vocab.txt, or vocab.json and merges.txt. Whether WordPiece is uncased says
/// tokenizer_config.json (`do_lower_case`); without it, a vocabulary without capital letters is.
std::unique_ptr<Tokeniser> read_tokeniser(const std::filesystem::path& folder);

}  // namespace mlpac
