#include "data/arff_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "data/arff_encoding.h"
#include "data/arff_header.h"
#include "data/arff_lexer.h"
#include "data/line_reader.h"
#include "data/matrix_builder.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr unsigned kValueEnds = ArffLexer::kBlank | ArffLexer::kComma | ArffLexer::kOpen | ArffLexer::kClose;
/// Reads the rows of one file into its matrices.
class RowReader {
 public:
  RowReader(LineReader& lines, ArffLexer& lexer, const std::vector<ArffAttribute>& attributes,
            const ArffEncoding& encoding, FeatureData& data)
      : lines_(lines),
        lexer_(lexer),
        attributes_(attributes),
        encoding_(encoding),
        data_(data),
        matrix_(data.features),
        last_row_(attributes.size(), 0) {
    for (const ArffSlot& slot : encoding.slots) {
      plain_.push_back(slot.codes.empty() && !slot.label ? slot.column : kNotPlain);
    }
  }

  void read_all() {
    while (lines_.next()) {
      lexer_.begin();
      if (lexer_.done()) continue;
      ++row_;
      if (lexer_.accept('{')) {
        sparse_row();
      } else {
        dense_row();
      }
      end_row();
    }
    if (row_ == 0) lines_.fail("no rows follow @data, expected at least one");
  }

 private:
  void dense_row() {
    const std::size_t count = attributes_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (lexer_.done()) fail_count(i);
      const ArffWord word = lexer_.word(kValueEnds);
      if (word.text.empty() && !word.quoted) {
        if (lexer_.sees('{')) fail_count(i);  // the weight of the row comes too early
        lexer_.fail(fmt::format("attribute {} has no value, expected one; write ? for a missing value",
                                in_quotes(attributes_[i].name)));
      }
      set(i, word);
      if (i + 1 < count && !lexer_.separator() && !lexer_.done()) fail_separator(i);
    }
    finish_row(lexer_.separator());
  }

  void sparse_row() {
    if (!lexer_.accept('}')) {
      do {
        const std::size_t i = sparse_index();
        const ArffWord word = lexer_.word(kValueEnds);
        if (word.text.empty() && !word.quoted) {
          lexer_.fail(fmt::format("attribute {} has no value, expected 'index value'", in_quotes(attributes_[i].name)));
        }
        set(i, word);
        lexer_.skip_blanks();
      } while (lexer_.accept(','));
      if (!lexer_.accept('}')) {
        lexer_.fail(fmt::format("the row goes on with {}, expected ',' or '}}'", in_quotes(lexer_.rest())));
      }
    }
    for (const std::size_t i : encoding_.set_when_omitted) {
      if (last_row_[i] != row_) set_code(encoding_.slots[i], encoding_.slots[i].omitted);
    }
    lexer_.separator();
    finish_row(true);
  }

  std::size_t sparse_index() {
    const std::string_view text = lexer_.word(kValueEnds).text;
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), i);
    if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) {
      lexer_.fail(fmt::format("{} is no index of an attribute, expected a number from 0", in_quotes(text)));
    }
    if (error != std::errc() || i >= attributes_.size()) {
      lexer_.fail(fmt::format("index {} is out of range, expected 0 to {}", in_quotes(text), attributes_.size() - 1));
    }
    if (last_row_[i] == row_) {
      lexer_.fail(
          fmt::format("index {} ({}) is given twice in this row, expected once", i, in_quotes(attributes_[i].name)));
    }
    last_row_[i] = row_;
    lexer_.skip_blanks();
    return i;
  }

  /// Nothing, or the weight of the row, which this program does not use: {number}.
  void finish_row(bool separated) {
    if (separated && lexer_.accept('{')) {
      float weight = 0;
      const ArffWord word = lexer_.word(kValueEnds);
      lexer_.skip_blanks();
      if (parse_number(word.text, weight) != Number::good || !lexer_.accept('}')) {
        lexer_.fail(fmt::format("{} is no weight of a row, expected {{number}}", in_quotes(word.text)));
      }
    }
    if (!lexer_.done()) {
      lexer_.fail(
          fmt::format("{} follows the row of {} attributes, expected the end of the line; values with blanks or "
                      "commas need quotes",
                      in_quotes(lexer_.rest()), attributes_.size()));
    }
  }

  void set(std::size_t i, const ArffWord& word) {
    if (plain_[i] != kNotPlain && !word.missing()) {
      float value = 0;
      if (parse_number(word.text, value) == Number::good) {
        if (value != 0) matrix_.put(plain_[i], value);
        return;
      }
    }
    const ArffSlot& slot = encoding_.slots[i];
    if (word.missing()) {
      if (!slot.label) {
        for (std::int32_t k = 0; k < slot.width; ++k)
          matrix_.put(slot.column + k, std::numeric_limits<float>::quiet_NaN());
      }
      return;  // a missing label is an unknown one
    }
    if (slot.codes.empty()) {
      set_number(i, slot, word.text);
      return;
    }
    const std::size_t value = slot.find(word.text);
    if (value == slot.values.size()) {
      lexer_.fail(fmt::format("attribute {} has the value {}, expected one of the {} it is declared with",
                              in_quotes(attributes_[i].name), in_quotes(word.text), slot.values.size()));
    }
    set_code(slot, slot.codes[value]);
  }

  void set_number(std::size_t i, const ArffSlot& slot, std::string_view text) {
    float value = 0;
    const Number result = parse_number(text, value);
    if (result != Number::good) {
      lexer_.fail(fmt::format("attribute {} has the value {}, expected a {}number; write ? for a missing value",
                              in_quotes(attributes_[i].name), in_quotes(text),
                              result == Number::too_large ? "smaller " : ""));
    }
    if (!slot.label) {
      if (value != 0) matrix_.put(slot.column, value);
    } else if (value == 1 || value == 0 || value == -1) {
      set_code(slot, static_cast<std::int32_t>(value));
    } else {
      lexer_.fail(fmt::format("label {} has the value {}, expected 1 (positive), 0 or ? (unknown) or -1 (negative)",
                              in_quotes(attributes_[i].name), in_quotes(text)));
    }
  }

  void set_code(const ArffSlot& slot, std::int32_t code) {
    if (slot.label) {
      if (code != kUnknown) label_row_.push_back({slot.column, static_cast<std::int8_t>(code)});
    } else if (code >= 0) {
      matrix_.put(code, 1);
    }
  }

  void end_row() {
    matrix_.end_row();  // no column can be set twice: indices of a sparse row are checked as they come
    if (matrix_.full()) {
      lexer_.fail("the rows so far set more than 2 billion values, expected fewer; split the file");
    }
    data_.labels.append(label_row_);
    label_row_.clear();
  }

  [[noreturn]] void fail_count(std::size_t got) const {
    lexer_.fail(fmt::format("the row has {} values, expected {}, one per attribute", got, attributes_.size()));
  }
  [[noreturn]] void fail_separator(std::size_t i) const {
    lexer_.fail(fmt::format("the value of attribute {} is followed by {}, expected a comma",
                            in_quotes(attributes_[i].name), in_quotes(lexer_.rest())));
  }

  LineReader& lines_;
  ArffLexer& lexer_;
  const std::vector<ArffAttribute>& attributes_;
  const ArffEncoding& encoding_;
  FeatureData& data_;
  MatrixBuilder matrix_;
  static constexpr std::int32_t kNotPlain = -1;
  std::vector<std::int32_t> plain_;     ///< column of a numeric feature: slots of wide data do not fit into the cache
  std::vector<std::int64_t> last_row_;  ///< the last sparse row that named each attribute
  std::vector<LabelEntry> label_row_;
  std::int64_t row_ = 0;
};

}  // namespace

void read_arff_rows(LineReader& lines, ArffLexer& lexer, const std::vector<ArffAttribute>& attributes,
                    const ArffEncoding& encoding, FeatureData& data) {
  RowReader(lines, lexer, attributes, encoding, data).read_all();
}

}  // namespace mlpac
