#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "data/csv_field.h"
#include "data/csv_scanner.h"
#include "data/table.h"
#include "data/table_labels.h"
#include "data/table_value.h"
#include "data/text.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

class Relabeller {
 public:
  Relabeller(std::string_view text, const std::string& source, const ReadOptions& options, const FeatureData& data)
      : table_(text, source, options), data_(data), whole_(text), copied_(text.data()) {
    const TableRoles& roles = table_.roles;
    if (!roles.list && roles.labels.empty()) table_.header.fail("the table has no labels that could be replaced");
    if (!roles.list && roles.label_names != data.label_names) {
      table_.header.fail("the labels of the data are not those of the file, expected data that was read from it");
    }
    // The last column of the file is written last.
    for (std::size_t i = 0; i < roles.labels.size(); ++i) order_.push_back(static_cast<std::int32_t>(i));
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return field(a) < field(b); });
    if (roles.list) prepare_list();
  }

  std::string write() {
    result_.reserve(whole_.size());
    std::int64_t row = 0;
    table_.rows.rewind();
    for (; table_.rows.next(); ++row) {
      if (row >= data_.labels.rows()) fail_rows();
      if (table_.roles.list) {
        write_list(row);
      } else {
        write_states(row);
      }
    }
    if (row != data_.labels.rows()) fail_rows();
    const char* const end = whole_.data() + whole_.size();
    result_.append(copied_, end);
    return std::move(result_);
  }

 private:
  std::size_t field(std::int32_t label) const { return table_.roles.labels[static_cast<std::size_t>(label)]; }

  void write_states(std::int64_t row) {
    for (const std::int32_t label : order_) {
      const CsvField& cell = table_.rows.fields()[field(label)];
      const std::int8_t state = data_.labels.at(row, label);
      std::int8_t before = kUnknown;
      if (parse_label_cell(text_(cell), before) && before == state) continue;
      replace(cell, fmt::format("{}", state));
    }
  }

  void prepare_list() {
    const std::string& separators = table_.roles.separators;
    for (std::size_t i = 0; i < data_.label_names.size(); ++i) {
      const std::string& name = data_.label_names[i];
      numbers_.emplace(name, static_cast<std::int32_t>(i));
      if (name.find_first_of(separators) != std::string::npos || trim(name) != name) {
        table_.header.fail(
            fmt::format("label {} cannot be written into a list, because it contains a separator or has "
                        "blanks around it; expected other --label-separators",
                        in_quotes(name)));
      }
    }
    // The separator the file uses; if no row has two labels, one that needs no quotes.
    for (const char c : separators) {
      if (separator_ == '\0' && c != table_.rows.delimiter()) separator_ = c;
    }
    if (separator_ == '\0' && !separators.empty()) separator_ = separators.front();
    table_.rows.rewind();
    while (table_.rows.next()) {
      const std::string_view cell = text_(table_.rows.fields()[*table_.roles.list]);
      const std::size_t at = cell.find_first_of(separators);
      if (at == std::string_view::npos) continue;
      separator_ = cell[at];
      break;
    }
  }

  void write_list(std::int64_t row) {
    const CsvField& cell = table_.rows.fields()[*table_.roles.list];
    const std::span<const LabelEntry> entries = data_.labels.row(row);
    if (std::ranges::equal(listed(text_(cell)), entries)) return;
    std::string names;
    for (const LabelEntry& entry : entries) {
      if (!names.empty()) {
        if (separator_ == '\0') {
          table_.rows.fail("the row has several labels, but no character separates them; expected --label-separators");
        }
        names += separator_;
      }
      if (entry.state == kKnownNegative) names += '!';
      names += data_.label_names[static_cast<std::size_t>(entry.column)];
    }
    replace(cell, csv_field(names, table_.rows.delimiter()));
  }

  /// The labels a cell lists, sorted; names that are no labels of the data are left out.
  std::vector<LabelEntry> listed(std::string_view cell) const {
    std::vector<LabelEntry> entries;
    for_each_name(cell, table_.roles.separators, [&](std::string_view name) {
      std::int8_t state = kAnnotated;
      auto found = numbers_.find(std::string(name));
      if (found == numbers_.end() && name.size() > 1 && name.front() == '!') {
        state = kKnownNegative;
        found = numbers_.find(std::string(name.substr(1)));
      }
      if (found != numbers_.end()) entries.push_back({found->second, state});
    });
    std::sort(entries.begin(), entries.end(),
              [](const LabelEntry& a, const LabelEntry& b) { return a.column < b.column; });
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    return entries;
  }

  void replace(const CsvField& cell, std::string_view value) {
    result_.append(copied_, cell.raw.data());
    result_ += value;
    copied_ = cell.raw.data() + cell.raw.size();
  }

  [[noreturn]] void fail_rows() const {
    table_.header.fail(
        fmt::format("the data has {} rows, expected as many as the file it was read from; was the file "
                    "changed?",
                    data_.labels.rows()));
  }

  Table table_;
  const FeatureData& data_;
  std::string_view whole_;
  const char* copied_;  ///< everything before it is in the result
  std::string result_;
  std::vector<std::int32_t> order_;  ///< labels in the order of their columns in the file
  std::unordered_map<std::string, std::int32_t> numbers_;
  char separator_ = '\0';
  CellText text_;
};

}  // namespace

std::string relabel_csv_text(std::string_view text, const std::string& source, const ReadOptions& options,
                             const FeatureData& data) {
  return Relabeller(text, source, options, data).write();
}

}  // namespace mlpac
