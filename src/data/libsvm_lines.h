// What the lines of a libsvm file are: header, rows, comments. Reading and relabelling must agree on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/line_reader.h"

namespace mlpac {

/// The header of XMLRepo.
struct LibsvmShape {
  std::int64_t rows = 0;
  std::int64_t features = 0;
  std::int64_t labels = 0;
};

/// More columns than any public data set has; a larger number is a damaged file.
inline constexpr std::int64_t kMostLibsvmFeatures = 100'000'000;
/// Nearly twice the largest public data set. Every label has a name, also those that no row has: a few bytes of header
/// must not take all memory.
inline constexpr std::int64_t kMostLibsvmLabels = 5'000'000;

inline bool is_libsvm_blank(char c) { return c == ' ' || c == '\t'; }
/// True if a label, index or value ends before this character.
inline bool ends_libsvm_token(char c) { return is_libsvm_blank(c) || c == '#'; }

/// The three numbers if the line is a header. A number that does not fit is the largest there is.
std::optional<LibsvmShape> parse_libsvm_shape(std::string_view line);

/// The labels at the beginning of a row: everything up to the first blank, or nothing if that is already a feature.
std::string_view libsvm_labels_of(std::string_view line);

/// The rows of a file. Without header, empty lines are nothing. With header, an empty line is a row without labels
/// and features until as many rows as declared were read, and nothing afterwards.
class LibsvmLines {
 public:
  /// Reads up to the first row. Throws Error if the header declares more than can be.
  explicit LibsvmLines(LineReader& lines);

  const std::optional<LibsvmShape>& shape() const { return shape_; }

  /// Moves to the next row; false at the end. Throws Error if there are no rows or not as many as declared.
  bool next();

  /// Of the current row: the labels, and what follows them. Both lie in its line, one after the other.
  std::string_view labels() const { return labels_; }
  std::string_view features() const { return features_; }

 private:
  /// Moves to the next line that is not a comment.
  bool next_line();
  void check_shape() const;

  LineReader* lines_;
  std::optional<LibsvmShape> shape_;
  bool pending_ = false;  ///< the current line is a row not yet delivered
  std::int64_t rows_ = 0;
  std::string_view labels_;
  std::string_view features_;
};

}  // namespace mlpac
