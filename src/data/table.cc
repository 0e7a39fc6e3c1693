#include "data/table.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/csv_scanner.h"
#include "data/table_columns.h"
#include "data/table_roles.h"
#include "data/table_rows.h"
#include "data/table_schema.h"
#include "data/text.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

char delimiter_of(std::string_view text, const std::string& source) {
  if (equals_ignoring_case(std::filesystem::path(source).extension().string(), ".tsv")) return '\t';
  text = without_byte_order_mark(text).substr(0, CsvScanner::kLongestRecord);
  const std::size_t first = text.find_first_not_of("\r\n");
  if (first != std::string_view::npos) text.remove_prefix(first);
  return CsvShape::kDelimiters[csv_shape(text).most()];
}

std::optional<TableSchema> stored_schema(const ReadOptions& options, const std::string& source) {
  if (options.schema.is_null()) return std::nullopt;
  return schema_from_json(options.schema, source);
}

/// What new files need to be read like this one.
TableSchema describe(const Table& table, FittedColumns& fitted) {
  TableSchema schema;
  schema.columns = std::move(fitted.columns);
  const auto name = [&](std::size_t column) { return table.header.names()[column]; };
  const TableRoles& roles = table.roles;
  if (roles.list) {
    schema.label_list = name(*roles.list);
    schema.label_separators = roles.separators;
  } else {
    schema.label_columns = roles.label_names;
  }
  if (roles.id) schema.id_column = name(*roles.id);
  schema.ignored = roles.ignored;
  return schema;
}

}  // namespace

Table::Table(std::string_view text, const std::string& source, const ReadOptions& options)
    : rows(text, source, delimiter_of(text, source)),
      header(rows),
      stored(stored_schema(options, source)),
      roles(find_roles(header, options, stored ? &*stored : nullptr)) {}

FeatureData read_table(std::string_view text, const std::string& source, const ReadOptions& options) {
  Table table(text, source, options);
  FeatureData data;
  data.source = source;
  TableSchema schema;
  std::int64_t stored_values = 0;
  if (table.stored) {
    schema = std::move(*table.stored);
    data.schema = options.schema;
  } else {
    FittedColumns fitted = fit_columns(table.rows, table.header, table.roles, options);
    stored_values = fitted.stored_values;
    schema = describe(table, fitted);
  }
  encode_texts(table.rows, table.header, table.roles, schema);
  read_table_rows(table.rows, table.header, table.roles, schema, options.labels_required, stored_values, data);
  if (data.schema.is_null()) data.schema = schema_to_json(schema);
  return data;
}

}  // namespace mlpac
