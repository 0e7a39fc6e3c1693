#include "data/table_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "data/csv_scanner.h"
#include "data/number.h"
#include "data/table_value.h"
#include "data/text.h"

namespace mlpac {
namespace {

/// Every value of a category repeats the name, so a longer one would multiply the size of the file.
constexpr std::size_t kLongestName = 1000;

bool is_number(const CsvField& field) {
  float ignored = 0;
  return parse_number(trim(field.text), ignored) == Number::good;
}

}  // namespace

TableHeader::TableHeader(CsvScanner& table) : table_(&table) {
  if (!table.next()) table.fail("the file is empty, expected a line with the names of the columns and rows below it");
  line_ = table.line();
  const std::vector<CsvField>& fields = table.fields();
  given_ = !std::all_of(fields.begin(), fields.end(), is_number);
  CellText text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string name = given_ ? std::string(text(fields[i])) : fmt::format("c{}", i + 1);
    if (name.empty()) {
      fail(fmt::format(
          "column {} of {} has no name, expected one; name it in the first line or remove it (pandas writes "
          "its row numbers so: use index=False)",
          i + 1, fields.size()));
    }
    if (name.size() > kLongestName) {
      fail(
          fmt::format("the name of column {} begins with {} and is longer than {} bytes, expected a name; does the "
                      "first line hold the names of the columns?",
                      i + 1, in_quotes(name), kLongestName));
    }
    const auto [first, fresh] = positions_.emplace(name, i);
    if (!fresh) {
      fail(fmt::format("columns {} and {} are both called {}, expected different names; rename one", first->second + 1,
                       i + 1, in_quotes(name)));
    }
    names_.push_back(std::move(name));
  }
  table.begin_rows(!given_);
  table.rewind();
  if (given_ && !table.next()) fail("no rows follow the names of the columns, expected at least one");
  table.rewind();
}

std::optional<std::size_t> TableHeader::find(const std::string& name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::size_t> TableHeader::matches(const std::string& pattern) const {
  if (const std::optional<std::size_t> exact = find(pattern)) return {*exact};
  std::vector<std::size_t> columns;
  if (pattern.find('*') == std::string::npos) return columns;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (fits_pattern(pattern, names_[i])) columns.push_back(i);
  }
  return columns;
}

void TableHeader::fail(std::string_view message) const { table_->fail_at(line_, message); }

void TableHeader::fail_unknown(std::string_view who, std::string_view pattern) const {
  // Every short name is near every other.
  const std::string nearest = pattern.size() < 3 ? std::string() : nearest_name(pattern, names_);
  std::string hint = nearest.empty()
                         ? fmt::format("expected one of the {} columns {}", names_.size(), some_names())
                         : fmt::format("expected a column of this file; did you mean {}?", in_quotes(nearest));
  if (!given_) hint += " (the first line holds only numbers, so the columns are numbered)";
  fail(fmt::format("{} {}, but no column is called so, {}", who, in_quotes(pattern), hint));
}

std::string TableHeader::some_names() const {
  constexpr std::size_t kFirst = 3;
  constexpr std::size_t kLast = 2;
  std::string list;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool cut = i == kFirst && names_.size() > kFirst + kLast;
    if (cut) i = names_.size() - kLast;
    list += fmt::format("{}{}{}", i == 0 ? "" : ", ", cut ? "..., " : "", in_quotes(names_[i]));
  }
  return list;
}

}  // namespace mlpac
