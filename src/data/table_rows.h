// The rows of a table as numbers and labels, once the kinds of its columns are known.
#pragma once

#include <cstdint>

#include "data/csv_scanner.h"
#include "data/table_header.h"
#include "data/table_roles.h"
#include "data/table_schema.h"
#include "mlpac/feature_data.h"

namespace mlpac {

/// Gives the texts of all rows to the encoders of the schema, so that their columns are known.
void encode_texts(CsvScanner& table, const TableHeader& header, const TableRoles& roles, TableSchema& schema);

/// Reads all rows into the features, labels, names and ids of `data`. `stored_values` is the number of feature values,
/// as far as it is known. Throws Error for the first row that does not fit.
void read_table_rows(CsvScanner& table, const TableHeader& header, const TableRoles& roles, const TableSchema& schema,
                     bool labels_required, std::int64_t stored_values, FeatureData& data);

}  // namespace mlpac
