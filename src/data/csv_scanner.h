// Records and fields of delimiter-separated text (RFC 4180), found in bytes that stay in memory: no cell is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

struct CsvField {
  std::string_view raw;   ///< as it stands between the delimiters
  std::string_view text;  ///< without the quotes around it
  bool doubled = false;   ///< `text` contains doubled quotes, each of which stands for one

  /// What the field says: `text` with every doubled quote as one.
  std::string value() const;
};

/// Text with every doubled quote as one, in place of what is in `value`.
void undouble_quotes(std::string_view text, std::string& value);

/// Delimiters outside quotes in one record, without taking one of them for granted.
struct CsvShape {
  static constexpr std::string_view kDelimiters = ",\t;|";  ///< the first wins where two occur equally often

  std::size_t counts[kDelimiters.size()] = {};  // NOLINT(modernize-avoid-c-arrays): of each delimiter
  std::size_t size = 0;                         ///< bytes of the record with its line end
  bool complete = false;                        ///< the record has a line end

  /// Position in kDelimiters of the one that occurs most, the comma if there is none.
  std::size_t most() const;
};

/// The shape of the record at the beginning of a text.
CsvShape csv_shape(std::string_view text);

class CsvScanner {
 public:
  /// A longer record is an error: a quote that is never closed makes one of the rest of the file.
  static constexpr std::size_t kLongestRecord = std::size_t{256} << 20U;
  static constexpr std::size_t kMostColumns = 10'000'000;

  /// `text` stays in memory; `source` is its name in messages. Throws Error if it contains zero bytes.
  CsvScanner(std::string_view text, std::string source, char delimiter);

  /// Moves to the next record; false at the end. Empty lines are left out.
  bool next();
  /// Of the current record.
  const std::vector<CsvField>& fields() const { return fields_; }
  /// The line where it begins, from 1; 0 before the first.
  std::int64_t line() const { return line_; }

  /// From now on every record must have as many fields as the current one; rewind() goes to it or to the one after it.
  void begin_rows(bool with_current);
  /// Before the first row.
  void rewind() { next_ = rows_; }

  /// The text without its byte order mark.
  std::string_view text() const { return text_; }
  char delimiter() const { return delimiter_; }
  const std::string& source() const { return source_; }

  /// Throws Error with `source:line: message` for the current record.
  [[noreturn]] void fail(std::string_view message) const { fail_at(line_ > 0 ? line_ : 1, message); }
  [[noreturn]] void fail_at(std::int64_t line, std::string_view message) const;

 private:
  struct Position {
    std::size_t at = 0;
    std::int64_t line = 1;
  };

  void skip_empty_lines();
  /// Reads a field from `at` on and returns its end, a delimiter, a line feed or `limit`.
  const char* plain_field(const char* at, const char* limit, CsvField& field) const;
  const char* quoted_field(const char* at, const char* limit, CsvField& field);
  [[noreturn]] void fail_count() const;

  std::string_view text_;
  std::string source_;
  char delimiter_;
  Position next_;
  Position rows_;
  Position record_;
  std::int64_t line_ = 0;
  std::size_t columns_ = 0;  ///< that every record must have; 0 while this is not known
  std::size_t count_ = 0;    ///< fields of the current record; those that are too many are not kept
  std::vector<CsvField> fields_;
};

}  // namespace mlpac
