// Free text as tf-idf columns: words (and sequences of words) of a vocabulary, or their hashes.
//
// Weight of a term in a text: (1 + ln count) * (1 + ln((1 + rows) / (1 + rows with the term))), then each text is
// scaled to length 1. A text without any known term is a row of zeros. What a word is says data/tokens.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/matrix_builder.h"
#include "data/term_table.h"
#include "data/tokens.h"
#include "mlpac/feature_data.h"

namespace mlpac {

class TextEncoder {
 public:
  /// Most words of a term: every word more costs about as much memory as the words alone.
  static constexpr std::size_t kMostWords = 5;
  static constexpr std::int64_t kMostColumns = std::int64_t{1} << 24U;

  /// To be fitted on the texts that are added. Throws UsageError for a number out of range.
  explicit TextEncoder(const TextSpec& spec);
  /// As it was fitted; `source` names the model in messages. Throws Error if the description is damaged.
  TextEncoder(const nlohmann::json& fitted, std::string_view source);

  /// The text of the next row. Throws Error if there is too much of it; as in finish(), the caller adds the place.
  void add(std::string_view text);
  /// After the last row: chooses the vocabulary and its weights, unless they were given. Throws Error if there is
  /// nothing to choose from; the caller knows the file and adds its name.
  void finish();

  /// Known after finish() or if the encoder was fitted before.
  std::int32_t columns() const { return columns_; }
  /// Texts added.
  std::int64_t rows() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  /// Puts the values of a row into the matrix, from column `first` on; after finish().
  void put(std::int64_t row, std::int32_t first, MatrixBuilder& matrix) const;

  /// After finish(): {"kind": "vocabulary" or "hashed", "ngrams", "columns", "terms" (not if hashed), "idf"}.
  nlohmann::json to_json() const;

 private:
  /// While texts are added, `term` is a number of the term table, or a column if columns are known beforehand (hashes,
  /// or a vocabulary that was given); after finish() it is a column.
  struct TermCount {
    std::uint32_t term;
    std::uint32_t count;
  };
  struct TermUse {
    std::uint32_t rows = 0;   ///< that have the term
    std::uint32_t place = 0;  ///< of the term in the last row that has it
  };

  struct Word {
    std::uint64_t hash;
    std::size_t size;
  };
  class Endings;

  void read_vocabulary(const nlohmann::json& terms, std::string_view source);
  bool read_words(Tokens& tokens);
  void find_terms(Endings& endings);
  void count(std::uint32_t term);
  void choose_vocabulary();
  void fit_weights(const std::vector<std::uint32_t>& rows_of_column);
  void keep_columns();

  bool hashed_ = false;
  bool fitted_ = false;  ///< vocabulary and weights were given
  std::size_t ngrams_ = 1;
  std::int64_t min_rows_ = 1;
  std::int32_t columns_ = 0;  ///< before the vocabulary is chosen: the most it may have
  std::vector<std::string> vocabulary_;
  std::vector<double> idf_;

  TermTable terms_;
  std::vector<std::int32_t> column_of_term_;  ///< -1: the term is not in the vocabulary, but may begin one that is
  std::vector<TermUse> uses_;                 ///< of each number that TermCount::term can be
  std::vector<TermCount> counts_;             ///< of all rows
  std::vector<std::size_t> offsets_{0};       ///< where each row begins in counts_

  // A few words of the current text, and the terms that end with them.
  std::vector<Word> words_;
  std::string word_bytes_;
  std::vector<std::uint32_t> found_;
};

}  // namespace mlpac
