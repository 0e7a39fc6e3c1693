#include "data/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/csv_scanner.h"
#include "data/table_header.h"
#include "data/table_roles.h"
#include "data/table_schema.h"
#include "data/table_value.h"
#include "data/text.h"
#include "data/text_encoder.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

constexpr std::size_t kMostCategories = 1000;
constexpr std::int64_t kWordsOfText = 4;
/// With this part of numbers or more, other values are mistakes.
constexpr std::int64_t kPercentNumbers = 95;

/// What the cells of one column are.
struct Tally {
  std::int64_t zeros = 0;
  std::int64_t numbers = 0;  ///< with the zeros
  std::int64_t missing = 0;
  std::int64_t wrong_numbers = 0;
  std::int64_t words = 0;
  std::int64_t first_bad_line = 0;  ///< of the first cell that is neither a number nor missing
  std::string_view first_bad;

  void add(const CsvField& field, std::int64_t line, CellText& text) {
    float value = 0;
    switch (read_cell(field, text, value)) {
      case Cell::number:
        ++numbers;
        if (value == 0) ++zeros;
        return;
      case Cell::missing:
        ++missing;
        return;
      case Cell::wrong_number:
        ++wrong_numbers;
        break;
      case Cell::word:
        ++words;
        break;
    }
    if (first_bad_line == 0) {
      first_bad_line = line;
      first_bad = field.text;
    }
  }

  bool all_numbers() const { return first_bad_line == 0; }
  bool mostly_numbers() const {
    const std::int64_t meant_as_numbers = numbers + wrong_numbers;
    return 100 * meant_as_numbers >= kPercentNumbers * (meant_as_numbers + words);
  }
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// The different values of a column that is not a number.
struct Values {
  std::unordered_set<std::string, TextHash, std::equal_to<>> different;
  std::int64_t too_many_line = 0;  ///< of the first value that was not kept
  std::int64_t cells = 0;          ///< not missing
  std::int64_t words = 0;

  void add(std::string_view cell, std::int64_t line) {
    if (is_missing(cell)) return;
    ++cells;
    words += count_words(cell);
    if (too_many_line > 0 || different.contains(cell)) return;
    if (different.size() == kMostCategories) {
      too_many_line = line;
      return;
    }
    different.emplace(cell);
  }

  /// Several words each, and most of them occur only once.
  bool look_like_text() const {
    const auto count = static_cast<std::int64_t>(different.size());
    return words >= kWordsOfText * cells && (too_many_line > 0 || 2 * count > cells);
  }

  static std::int64_t count_words(std::string_view text) {
    std::int64_t count = 0;
    bool inside = false;
    for (const char c : text) {
      const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
      if (!blank && !inside) ++count;
      inside = !blank;
    }
    return count;
  }
};

class ColumnFitter {
 public:
  ColumnFitter(CsvScanner& table, const TableHeader& header, const TableRoles& roles, const ReadOptions& options)
      : table_(table), header_(header), roles_(roles), options_(options) {}

  FittedColumns fit() {
    find_numbers();
    find_values();
    return std::move(result_);
  }

 private:
  bool named_as_text(std::size_t column) const {
    return std::binary_search(roles_.texts.begin(), roles_.texts.end(), column);
  }

  void find_numbers() {
    std::vector<std::size_t> open;  // columns of the file that may be numbers
    for (const std::size_t column : roles_.features) {
      if (!named_as_text(column)) open.push_back(column);
    }
    std::vector<Tally> tallies(open.size());
    table_.rewind();
    while (table_.next()) {
      const std::vector<CsvField>& fields = table_.fields();
      for (std::size_t k = 0; k < open.size(); ++k) tallies[k].add(fields[open[k]], table_.line(), text_);
    }
    std::size_t k = 0;
    for (const std::size_t column : roles_.features) {
      TableColumn& fitted = result_.columns.emplace_back();
      fitted.name = header_.names()[column];
      if (named_as_text(column)) {
        make_text(fitted);
        continue;
      }
      const Tally& tally = tallies[k++];
      if (tally.all_numbers()) {
        result_.stored_values += tally.numbers - tally.zeros + tally.missing;
        continue;
      }
      if (tally.mostly_numbers()) fail_number(fitted, tally);
      fitted.kind = ColumnKind::category;  // or a text, which its values show
    }
  }

  void find_values() {
    std::vector<std::size_t> open;  // positions among the features
    for (std::size_t i = 0; i < result_.columns.size(); ++i) {
      if (result_.columns[i].kind == ColumnKind::category) open.push_back(i);
    }
    if (open.empty()) return;
    std::vector<Values> values(open.size());
    table_.rewind();
    while (table_.next()) {
      const std::vector<CsvField>& fields = table_.fields();
      for (std::size_t k = 0; k < open.size(); ++k) {
        values[k].add(text_(fields[roles_.features[open[k]]]), table_.line());
      }
    }
    for (std::size_t k = 0; k < open.size(); ++k) {
      TableColumn& column = result_.columns[open[k]];
      if (options_.text_columns.empty() && values[k].look_like_text()) {
        make_text(column);
        continue;
      }
      if (values[k].too_many_line > 0) fail_category(column, values[k]);
      result_.stored_values += values[k].cells;
      while (!values[k].different.empty()) {  // moved, not copied: a value may be long
        column.values.push_back(std::move(values[k].different.extract(values[k].different.begin()).value()));
      }
      std::sort(column.values.begin(), column.values.end());
    }
  }

  void make_text(TableColumn& column) const {
    column.kind = ColumnKind::text;
    column.encoder = std::make_unique<TextEncoder>(options_.text);
  }

  [[noreturn]] void fail_number(const TableColumn& column, const Tally& tally) const {
    table_.fail_at(
        tally.first_bad_line,
        fmt::format("column {} has the value {}, expected a finite number with a decimal point like nearly all "
                    "of its values; correct it, leave a missing value empty, or give --ignore or "
                    "--text-columns",
                    in_quotes(column.name), in_quotes(trim(tally.first_bad))));
  }

  [[noreturn]] void fail_category(const TableColumn& column, const Values& values) const {
    table_.fail_at(
        values.too_many_line,
        fmt::format("column {} has more than {} different values that are not numbers, expected a category or "
                    "numbers; give --ignore if it says nothing about the labels, --text-columns if it is text",
                    in_quotes(column.name), kMostCategories));
  }

  CsvScanner& table_;
  const TableHeader& header_;
  const TableRoles& roles_;
  const ReadOptions& options_;
  CellText text_;
  FittedColumns result_;
};

}  // namespace

FittedColumns fit_columns(CsvScanner& table, const TableHeader& header, const TableRoles& roles,
                          const ReadOptions& options) {
  return ColumnFitter(table, header, roles, options).fit();
}

}  // namespace mlpac
