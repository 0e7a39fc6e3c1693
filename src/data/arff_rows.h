// The rows of an ARFF file. Every value is one look into the slot of its attribute and at most one entry appended to
// the matrices; nothing is allocated per value.
#pragma once

#include <vector>

#include "data/arff_encoding.h"
#include "data/arff_header.h"
#include "data/arff_lexer.h"
#include "data/line_reader.h"
#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads everything after @data into the features and labels of `data`, whose numbers of columns are already set.
/// Throws Error for the first row that does not fit the declarations, and if there is none at all.
void read_arff_rows(LineReader& lines, ArffLexer& lexer, const std::vector<ArffAttribute>& attributes,
                    const ArffEncoding& encoding, FeatureData& data);

}  // namespace mlpac
