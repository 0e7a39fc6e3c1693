// What a cell of a table says: a number, nothing, a word, the state of a label.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/csv_scanner.h"

namespace mlpac {

/// The value of a cell as text.
class CellText {
 public:
  /// Doubled quotes made single, blanks around it removed, UTF-8. Valid until the next call.
  std::string_view operator()(const CsvField& field);

 private:
  std::string scratch_;
};

/// Empty, ?, NA, N/A, nan, null or none, in any case.
bool is_missing(std::string_view text);

enum class Cell : std::uint8_t {
  number,
  missing,
  wrong_number,  ///< meant as one: infinite, too large, or with a decimal comma
  word,
};

/// Tells which it is; `value` is set if it is a number.
Cell read_cell(const CsvField& field, CellText& text, float& value);

/// State of a label: 1, 0, -1, also as 1.0, true or yes, or missing for unknown; false if it is none of them.
bool parse_label_cell(std::string_view text, std::int8_t& state);

}  // namespace mlpac
