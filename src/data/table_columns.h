// The kinds of the feature columns of a table, decided from all its rows.
#pragma once

#include <cstdint>
#include <vector>

#include "data/csv_scanner.h"
#include "data/table_header.h"
#include "data/table_roles.h"
#include "data/table_schema.h"
#include "mlpac/feature_data.h"

namespace mlpac {

struct FittedColumns {
  std::vector<TableColumn> columns;
  std::int64_t stored_values = 0;  ///< number of feature values that are not 0, without those of texts
};

/// Number: every value is one. Text: named so, or recognised if no column is named. Category: anything else. Throws
/// Error for a column of numbers with a few other values, and for a category with too many different ones.
FittedColumns fit_columns(CsvScanner& table, const TableHeader& header, const TableRoles& roles,
                          const ReadOptions& options);

}  // namespace mlpac
