// How a table was turned into numbers: stored with the model, so that new files are read the same way.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/text_encoder.h"

namespace mlpac {

enum class ColumnKind : std::uint8_t { number, category, text };

/// A column of the table that is a feature.
struct TableColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> values;       ///< of a category, sorted: one feature each
  std::unique_ptr<TextEncoder> encoder;  ///< of a text

  /// Number of features it gives; those of a text are known after its encoder is finished.
  std::int64_t width() const;
};

struct TableSchema {
  std::vector<TableColumn> columns;        ///< in the order of the features
  std::vector<std::string> label_columns;  ///< either these
  std::string label_list;                  ///< or this one, or none
  std::string label_separators;
  std::string id_column;
  std::vector<std::string> ignored;
};

nlohmann::json schema_to_json(const TableSchema& schema);

/// Throws Error if the JSON is not what schema_to_json wrote; `source` names the file that is read with it.
TableSchema schema_from_json(const nlohmann::json& stored, std::string_view source);

}  // namespace mlpac
