// What each column of a table is for: a feature, a label, the list of labels, the name of the row, or nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/table_header.h"
#include "data/table_schema.h"
#include "mlpac/feature_data.h"

namespace mlpac {

struct TableRoles {
  std::vector<std::size_t> features;     ///< in the order of the file, or of the schema
  std::vector<std::size_t> texts;        ///< those of them that are named as text, sorted
  std::vector<std::size_t> labels;       ///< columns of label states, one per label
  std::optional<std::size_t> list;       ///< the column that lists labels
  std::string separators;                ///< between the names in it
  std::vector<std::string> label_names;  ///< of `labels`; with `list`: those that may occur, empty for any
  std::optional<std::size_t> id;
  std::vector<std::string> ignored;
};

/// Finds the columns that the options name and, if a model is applied, those of its `stored` schema. Throws Error for
/// names that fit no column, for a column with two roles, and if nothing says what the labels are though they are
/// required.
TableRoles find_roles(const TableHeader& header, const ReadOptions& options, const TableSchema* stored);

}  // namespace mlpac
