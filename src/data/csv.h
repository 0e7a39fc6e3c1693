// CSV and TSV tables: entry points for the table of readers, tests and fuzzing.
//
// The first record names the columns. Label columns, a column that lists labels, the id of the rows and ignored columns
// are named in the options; all others are features, whose kinds are decided from the whole file (table_columns.h) or
// were stored with a model (table_schema.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads a text in memory; `source` is its name in messages, and the delimiter is the tab if it ends in .tsv.
FeatureData parse_csv(std::string_view text, const std::string& source, const ReadOptions& options);

/// Reads a file, which may be a pipe.
FeatureData read_csv(const std::filesystem::path& path, const ReadOptions& options);

/// True if two or more lines agree in their number of delimiters. The last line may be cut.
bool looks_like_csv(std::string_view head);

/// The file with the labels of `data`, which was read from it with these options; all other bytes are as they were. A
/// cell that already says the same stays, others become 1, 0 or -1, or a list of names.
std::string relabel_csv(const std::filesystem::path& path, const ReadOptions& options, const FeatureData& data);

/// The same for a text in memory.
std::string relabel_csv_text(std::string_view text, const std::string& source, const ReadOptions& options,
                             const FeatureData& data);

}  // namespace mlpac
