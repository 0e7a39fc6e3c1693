#include "data/text_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/matrix_builder.h"
#include "data/term_table.h"
#include "data/tokens.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

constexpr std::int64_t kHashedColumns = std::int64_t{1} << 18U;
constexpr std::int64_t kVocabularyColumns = 50'000;
constexpr std::size_t kLongestText = std::size_t{1} << 29U;  ///< its terms can be counted with 32 bits

/// The terms that end with the word read last: the word itself, two words, ... Calls use(term) for each.
class Endings {
 public:
  explicit Endings(std::size_t longest) : longest_(longest) {}

  template <typename Extend, typename Use>
  void next(std::uint64_t word, const Extend& extend, const Use& use) {
    if (length_ < longest_) ++length_;
    for (std::size_t i = length_ - 1; i > 0; --i) {
      endings_[i] = extend(endings_[i - 1], word);
      use(endings_[i]);
    }
    endings_[0] = word;
    use(word);
  }

 private:
  std::size_t longest_;
  std::size_t length_ = 0;
  std::array<std::uint64_t, TextEncoder::kMostWords> endings_{};
};

/// Seven decimals: as exact as the float32 it ends up in, short in JSON, and the same number when it is read back.
double rounded(double value) { return std::round(value * 1e7) / 1e7; }

}  // namespace

TextEncoder::TextEncoder(const TextSpec& spec)
    : hashed_(spec.hashed), ngrams_(static_cast<std::size_t>(spec.ngrams)), min_rows_(spec.min_rows) {
  if (spec.ngrams < 1 || spec.ngrams > static_cast<std::int64_t>(kMostWords)) {
    throw UsageError(fmt::format("text: terms of {} words, expected 1 to {}", spec.ngrams, kMostWords));
  }
  if (spec.columns < 0 || spec.columns > kMostColumns) {
    throw UsageError(
        fmt::format("text: {} columns, expected 1 to {}, or 0 for the default", spec.columns, kMostColumns));
  }
  const std::int64_t by_default = hashed_ ? kHashedColumns : kVocabularyColumns;
  columns_ = static_cast<std::int32_t>(spec.columns > 0 ? spec.columns : by_default);
  if (hashed_) uses_.resize(static_cast<std::size_t>(columns_));
}

/// Rows are short and terms repeat, so each term remembers its place in the last row it was in. Whether that is the
/// current row shows when one looks there.
void TextEncoder::count(std::uint32_t term) {
  TermUse& use = uses_[term];
  const std::size_t place = offsets_.back() + use.place;
  if (place < counts_.size() && counts_[place].term == term) {
    ++counts_[place].count;
    return;
  }
  ++use.rows;
  use.place = static_cast<std::uint32_t>(counts_.size() - offsets_.back());
  counts_.push_back({term, 1});
}

void TextEncoder::add(std::string_view text) {
  if (text.size() > kLongestText) {
    throw Error(fmt::format("the text of row {} is longer than {} MB, expected a shorter one; split it", rows() + 1,
                            kLongestText >> 20U));
  }
  Tokens tokens(text);
  Endings endings(ngrams_);
  if (hashed_) {
    const auto columns = static_cast<std::uint64_t>(columns_);
    const auto extend = [](std::uint64_t prefix, std::uint64_t word) { return bits_at(prefix, word); };
    const auto use = [&](std::uint64_t hash) { count(static_cast<std::uint32_t>(hash % columns)); };
    while (tokens.next()) endings.next(mix64(fnv1a64(tokens.token())), extend, use);
  } else if (fitted_) {
    const auto extend = [&](std::uint64_t prefix, std::uint64_t word) {
      return terms_.find(static_cast<std::uint32_t>(prefix), static_cast<std::uint32_t>(word));
    };
    const auto use = [&](std::uint64_t term) {
      if (term == TermTable::kNone) return;
      const std::int32_t column = column_of_term_[term];
      if (column >= 0) count(static_cast<std::uint32_t>(column));
    };
    while (tokens.next()) endings.next(terms_.find(tokens.token()), extend, use);
  } else {
    const auto extend = [&](std::uint64_t prefix, std::uint64_t word) {
      return terms_.add(static_cast<std::uint32_t>(prefix), static_cast<std::uint32_t>(word));
    };
    const auto use = [&](std::uint64_t term) {
      if (term >= uses_.size()) uses_.resize(terms_.size());
      count(static_cast<std::uint32_t>(term));
    };
    while (tokens.next()) endings.next(terms_.add(tokens.token()), extend, use);
  }
  offsets_.push_back(counts_.size());
}

void TextEncoder::finish() {
  if (!fitted_) {
    if (counts_.empty()) {
      throw Error(fmt::format(
          "none of the {} texts has a word, expected letters or digits; is the column with the text another "
          "one?",
          rows()));
    }
    if (hashed_) {
      std::vector<std::uint32_t> rows_of_column;
      rows_of_column.reserve(uses_.size());
      for (const TermUse& use : uses_) rows_of_column.push_back(use.rows);
      fit_weights(rows_of_column);
    } else {
      choose_vocabulary();
    }
  }
  keep_columns();
  terms_ = {};
  column_of_term_ = {};
  uses_ = {};
}

void TextEncoder::choose_vocabulary() {
  const auto least = static_cast<std::uint32_t>(std::clamp<std::int64_t>(min_rows_, 1, UINT32_MAX));
  std::vector<std::uint32_t> frequent;
  std::uint32_t most = 0;
  for (const TermUse& use : uses_) {
    most = std::max(most, use.rows);
    if (use.rows >= least) frequent.push_back(use.rows);
  }
  if (frequent.empty()) {
    throw Error(
        fmt::format("no term occurs in at least {} of the {} texts (the most frequent one in {}), expected some; lower "
                    "the least number of rows of a term",
                    least, rows(), most));
  }
  const auto limit = static_cast<std::size_t>(columns_);
  std::uint32_t threshold = least;
  if (frequent.size() > limit) {
    const auto last = frequent.begin() + columns_ - 1;
    std::nth_element(frequent.begin(), last, frequent.end(), std::greater<>());
    threshold = *last;
  }
  struct Candidate {
    std::string text;
    std::uint32_t rows;
    std::uint32_t term;
  };
  std::vector<Candidate> candidates;
  for (std::size_t term = 0; term < uses_.size(); ++term) {
    if (uses_[term].rows < threshold) continue;
    const auto number = static_cast<std::uint32_t>(term);
    candidates.push_back({terms_.text(number), uses_[term].rows, number});
  }
  if (candidates.size() > limit) {
    std::nth_element(
        candidates.begin(), candidates.begin() + columns_, candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.rows != b.rows ? a.rows > b.rows : a.text < b.text; });
    candidates.erase(candidates.begin() + columns_, candidates.end());
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.text < b.text; });
  column_of_term_.assign(uses_.size(), -1);
  std::vector<std::uint32_t> rows_of_column;
  for (Candidate& candidate : candidates) {
    column_of_term_[candidate.term] = static_cast<std::int32_t>(vocabulary_.size());
    rows_of_column.push_back(candidate.rows);
    vocabulary_.push_back(std::move(candidate.text));
  }
  columns_ = static_cast<std::int32_t>(vocabulary_.size());
  fit_weights(rows_of_column);
}

void TextEncoder::fit_weights(const std::vector<std::uint32_t>& rows_of_column) {
  const auto all = static_cast<double>(rows());
  idf_.reserve(rows_of_column.size());
  for (const std::uint32_t with_term : rows_of_column) {
    idf_.push_back(rounded(1 + std::log((1 + all) / (1 + static_cast<double>(with_term)))));
  }
}

/// Replaces terms by columns, leaves out those that have none, and sorts each row.
void TextEncoder::keep_columns() {
  const bool are_columns = hashed_ || fitted_;
  std::size_t kept = 0;
  for (std::size_t row = 0; row + 1 < offsets_.size(); ++row) {
    const std::size_t first = std::exchange(offsets_[row], kept);
    for (std::size_t i = first; i < offsets_[row + 1]; ++i) {
      TermCount entry = counts_[i];
      if (!are_columns) {
        const std::int32_t column = column_of_term_[entry.term];
        if (column < 0) continue;
        entry.term = static_cast<std::uint32_t>(column);
      }
      counts_[kept++] = entry;
    }
    std::sort(counts_.begin() + static_cast<std::ptrdiff_t>(offsets_[row]),
              counts_.begin() + static_cast<std::ptrdiff_t>(kept),
              [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
  }
  offsets_.back() = kept;
  counts_.resize(kept);
}

void TextEncoder::put(std::int64_t row, std::int32_t first, MatrixBuilder& matrix) const {
  const auto weight = [&](const TermCount& entry) {
    const double idf = idf_[entry.term];
    return entry.count == 1 ? idf : (1 + std::log(static_cast<double>(entry.count))) * idf;
  };
  const std::size_t begin = offsets_[static_cast<std::size_t>(row)];
  const std::size_t end = offsets_[static_cast<std::size_t>(row) + 1];
  double squares = 0;
  for (std::size_t i = begin; i < end; ++i) squares += weight(counts_[i]) * weight(counts_[i]);
  const double length = std::sqrt(squares);
  for (std::size_t i = begin; i < end; ++i) {
    matrix.put(first + static_cast<std::int32_t>(counts_[i].term), static_cast<float>(weight(counts_[i]) / length));
  }
}

}  // namespace mlpac
