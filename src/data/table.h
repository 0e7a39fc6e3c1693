// A table before its rows are read: its columns have names and uses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/csv_scanner.h"
#include "data/table_header.h"
#include "data/table_roles.h"
#include "data/table_schema.h"
#include "mlpac/feature_data.h"

namespace mlpac {

struct Table {
  /// `text` stays in memory. Throws Error if the header or the options do not make a table of it.
  Table(std::string_view text, const std::string& source, const ReadOptions& options);
  Table(const Table&) = delete;  // the header refers to the rows
  Table& operator=(const Table&) = delete;

  CsvScanner rows;
  TableHeader header;
  std::optional<TableSchema> stored;  ///< how the training data of a model was read
  TableRoles roles;
};

/// Reads a table that was found in a text.
FeatureData read_table(std::string_view text, const std::string& source, const ReadOptions& options);

}  // namespace mlpac
