#include "data/table_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/text.h"
#include "data/text_encoder.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

using nlohmann::json;

/// Reads the JSON of a model, which may be damaged, without trusting any of its types.
class SchemaReader {
 public:
  explicit SchemaReader(std::string_view source) : source_(source) {}

  TableSchema read(const json& stored) const {
    const std::string format = text(stored, "format");
    if (format != "csv") {
      throw Error(fmt::format("{}: is a table, but the model was trained on data of the format {}, expected the same",
                              source_, in_quotes(format)));
    }
    TableSchema schema;
    const json& columns = member(stored, "columns");
    if (!columns.is_array() || columns.empty()) damaged("it lists no columns");
    std::unordered_set<std::string> seen;
    for (const json& column : columns) {
      schema.columns.push_back(read_column(column));
      const std::string& name = schema.columns.back().name;
      if (!seen.insert(name).second) damaged(fmt::format("it lists column {} twice", in_quotes(name)));
    }
    if (const json& labels = member(stored, "labels"); !labels.is_null()) {
      if (labels.contains("list")) {
        schema.label_list = text(labels, "list");
        schema.label_separators = text(labels, "separators");
      } else {
        schema.label_columns = texts(labels, "columns");
      }
    }
    if (!member(stored, "id").is_null()) schema.id_column = text(stored, "id");
    schema.ignored = texts(stored, "ignored");
    return schema;
  }

 private:
  TableColumn read_column(const json& stored) const {
    TableColumn column;
    column.name = text(stored, "name");
    const std::string kind = text(stored, "kind");
    if (kind == "category") {
      column.kind = ColumnKind::category;
      column.values = texts(stored, "values");
      const auto& values = column.values;
      const bool increasing = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
      if (!increasing) damaged(fmt::format("the values of column {} are not in order", in_quotes(column.name)));
    } else if (kind == "text") {
      column.kind = ColumnKind::text;
      column.encoder = std::make_unique<TextEncoder>(member(stored, "encoder"), source_);
    } else if (kind != "number") {
      damaged(fmt::format("column {} is of the unknown kind {}", in_quotes(column.name), in_quotes(kind)));
    }
    return column;
  }

  const json& member(const json& object, const char* key) const {
    if (!object.is_object()) damaged(fmt::format("an object with '{}' is missing", key));
    const auto found = object.find(key);
    if (found == object.end()) damaged(fmt::format("'{}' is missing", key));
    return *found;
  }

  std::string text(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_string()) damaged(fmt::format("'{}' is not a text", key));
    return value.get<std::string>();
  }

  std::vector<std::string> texts(const json& object, const char* key) const {
    const json& values = member(object, key);
    const auto is_text = [](const json& value) { return value.is_string(); };
    if (!values.is_array() || !std::all_of(values.begin(), values.end(), is_text)) {
      damaged(fmt::format("'{}' is not a list of texts", key));
    }
    return values.get<std::vector<std::string>>();
  }

  [[noreturn]] void damaged(std::string_view what) const {
    throw Error(
        fmt::format("{}: cannot be read like the training data, because the model is damaged: {} in its "
                    "description of the table; train it again or restore its files",
                    source_, what));
  }

  std::string source_;
};

}  // namespace

std::int64_t TableColumn::width() const {
  switch (kind) {
    case ColumnKind::category:
      return static_cast<std::int64_t>(values.size());
    case ColumnKind::text:
      return encoder->columns();
    case ColumnKind::number:
      break;
  }
  return 1;
}

json schema_to_json(const TableSchema& schema) {
  json columns = json::array();
  for (const TableColumn& column : schema.columns) {
    json& stored = columns.emplace_back(json{{"name", column.name}});
    switch (column.kind) {
      case ColumnKind::number:
        stored["kind"] = "number";
        break;
      case ColumnKind::category:
        stored["kind"] = "category";
        stored["values"] = column.values;
        break;
      case ColumnKind::text:
        stored["kind"] = "text";
        stored["encoder"] = column.encoder->to_json();
        break;
    }
  }
  json labels;
  if (!schema.label_list.empty()) {
    labels = {{"list", schema.label_list}, {"separators", schema.label_separators}};
  } else if (!schema.label_columns.empty()) {
    labels = {{"columns", schema.label_columns}};
  }
  return {{"format", "csv"},
          {"columns", std::move(columns)},
          {"labels", std::move(labels)},
          {"id", schema.id_column.empty() ? json() : json(schema.id_column)},
          {"ignored", schema.ignored}};
}

TableSchema schema_from_json(const json& stored, std::string_view source) { return SchemaReader(source).read(stored); }

}  // namespace mlpac
