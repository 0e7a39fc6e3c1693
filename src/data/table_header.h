// The names of the columns of a table, and looking them up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/csv_scanner.h"

namespace mlpac {

class TableHeader {
 public:
  /// Reads the first record and leaves the scanner before the first row. If every field of the record is a number, it
  /// is the first row and the columns are called c1, c2, ... Throws Error if there is no row, for empty and for
  /// repeated names.
  explicit TableHeader(CsvScanner& table);

  const std::vector<std::string>& names() const { return names_; }
  bool given() const { return given_; }

  std::optional<std::size_t> find(const std::string& name) const;
  /// The column of that name, or, if there is none, all that fit it with * for any characters.
  std::vector<std::size_t> matches(const std::string& pattern) const;

  /// Throws Error with `source:line: message` for the line of the header.
  [[noreturn]] void fail(std::string_view message) const;
  /// Throws Error because no column fits `pattern`, with the nearest name or some of those there are. `who` asks for
  /// it.
  [[noreturn]] void fail_unknown(std::string_view who, std::string_view pattern) const;
  /// The first and last names, for messages.
  std::string some_names() const;

 private:
  const CsvScanner* table_;
  std::int64_t line_ = 1;
  bool given_ = true;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace mlpac
