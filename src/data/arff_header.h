// The declarations of an ARFF file: everything up to @data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/arff_lexer.h"
#include "data/line_reader.h"

namespace mlpac {

struct ArffAttribute {
  std::string name;                 ///< UTF-8
  bool nominal = false;             ///< otherwise a number
  std::vector<std::string> values;  ///< of a nominal attribute, as declared, in the bytes of the file
  std::int64_t line = 0;
};

/// Reads up to and including the @data line. Throws Error for anything that is not ARFF, for attributes that are
/// neither numbers nor nominal, and for names or values that occur twice.
std::vector<ArffAttribute> read_arff_header(LineReader& lines, ArffLexer& lexer);

}  // namespace mlpac
