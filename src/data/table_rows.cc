#include "data/table_rows.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/csv_scanner.h"
#include "data/label_names.h"
#include "data/matrix_builder.h"
#include "data/table_header.h"
#include "data/table_labels.h"
#include "data/table_roles.h"
#include "data/table_schema.h"
#include "data/table_value.h"
#include "data/text.h"
#include "data/text_encoder.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// One feature column of the table and where its values go.
struct Slot {
  const TableColumn* column = nullptr;
  std::size_t field = 0;
  std::int32_t first = 0;                                      ///< of its columns in the matrix
  std::unordered_map<std::string_view, std::int32_t> columns;  ///< in the matrix of the values of a category
};

class RowReader {
 public:
  RowReader(CsvScanner& table, const TableHeader& header, const TableRoles& roles, const TableSchema& schema,
            bool labels_required, FeatureData& data)
      : table_(table), roles_(roles), labels_required_(labels_required), data_(data), matrix_(data.features) {
    std::int64_t columns = 0;
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const TableColumn& column = schema.columns[i];
      Slot& slot = slots_.emplace_back(Slot{&column, roles.features[i], static_cast<std::int32_t>(columns), {}});
      columns += column.width();
      if (columns > std::numeric_limits<std::int32_t>::max()) {
        header.fail("the columns give more than 2 billion features, expected fewer; give --ignore");
      }
      std::int32_t next = slot.first;
      for (const std::string& value : column.values) slot.columns.emplace(value, next++);
    }
    if (columns == 0) {
      header.fail("the columns give no features, expected at least one number, category or word that occurs often");
    }
    data.features.columns = static_cast<std::int32_t>(columns);
    if (!roles.list) data.labels = Labels(static_cast<std::int32_t>(roles.labels.size()));
  }

  void read_all() {
    LabelCollector listed(roles_.label_names, labels_required_);
    std::int64_t row = 0;
    table_.rewind();
    while (table_.next()) {
      const std::vector<CsvField>& fields = table_.fields();
      for (const Slot& slot : slots_) set(slot, fields[slot.field], row);
      matrix_.end_row();  // no column can be set twice: each slot has its own
      if (matrix_.full())
        table_.fail("the rows so far have more than 2 billion values, expected fewer; split the file");
      if (roles_.list) {
        add_listed_labels(fields[*roles_.list], listed);
      } else {
        add_label_states(fields);
      }
      if (roles_.id) data_.ids.emplace_back(text_(fields[*roles_.id]));
      ++row;
    }
    if (roles_.list) {
      listed.finish(data_);
      if (data_.label_names.empty() && labels_required_) {
        table_.fail("no row lists a label, expected names in the column of --label-list");
      }
    } else {
      data_.label_names = roles_.label_names;
    }
  }

 private:
  void set(const Slot& slot, const CsvField& field, std::int64_t row) {
    switch (slot.column->kind) {
      case ColumnKind::number:
        set_number(slot, field);
        break;
      case ColumnKind::category: {
        // Missing or never seen in training: none of the values, so zeros.
        const auto found = slot.columns.find(text_(field));
        if (found != slot.columns.end()) matrix_.put(found->second, 1);
        break;
      }
      case ColumnKind::text:
        slot.column->encoder->put(row, slot.first, matrix_);
        break;
    }
  }

  void set_number(const Slot& slot, const CsvField& field) {
    float value = 0;
    switch (read_cell(field, text_, value)) {
      case Cell::number:
        if (value != 0) matrix_.put(slot.first, value);
        break;
      case Cell::missing:
        matrix_.put(slot.first, std::numeric_limits<float>::quiet_NaN());
        break;
      case Cell::wrong_number:
      case Cell::word:
        table_.fail(
            fmt::format("column {} has the value {}, expected a finite number with a decimal point as in the "
                        "training data; leave a missing value empty",
                        in_quotes(slot.column->name), in_quotes(text_(field))));
    }
  }

  void add_label_states(const std::vector<CsvField>& fields) {
    label_row_.clear();
    for (std::size_t i = 0; i < roles_.labels.size(); ++i) {
      const std::string_view cell = text_(fields[roles_.labels[i]]);
      std::int8_t state = kUnknown;
      if (!parse_label_cell(cell, state)) {
        table_.fail(
            fmt::format("label column {} has the value {}, expected 1 (positive), 0 or nothing (unknown) or -1 "
                        "(negative); is it really a label?",
                        in_quotes(roles_.label_names[i]), in_quotes(cell)));
      }
      if (state != kUnknown) label_row_.push_back({static_cast<std::int32_t>(i), state});
    }
    data_.labels.append(label_row_);
  }

  void add_listed_labels(const CsvField& field, LabelCollector& listed) {
    for_each_name(text_(field), roles_.separators, [&](std::string_view name) {
      if (roles_.label_names.empty() && name.starts_with("!!")) {
        table_.fail(fmt::format("label {} begins with two !, expected at most one, which makes it a known negative",
                                in_quotes(name)));
      }
      if (!listed.add(name)) {
        table_.fail(fmt::format("label {} is not one of the {} labels that are known, expected one of them",
                                in_quotes(name), roles_.label_names.size()));
      }
    });
    const std::string twice = listed.end_row();
    if (!twice.empty()) {
      table_.fail(
          fmt::format("label {} is listed as positive and as negative (!), expected one of the two", in_quotes(twice)));
    }
  }

  CsvScanner& table_;
  const TableRoles& roles_;
  bool labels_required_;
  FeatureData& data_;
  MatrixBuilder matrix_;
  std::vector<Slot> slots_;
  std::vector<LabelEntry> label_row_;
  CellText text_;
};

/// Names of the features; none if one of the columns is text, whose features are words or only numbers.
std::vector<std::string> feature_names(const TableHeader& header, const TableSchema& schema) {
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) {
    if (column.kind == ColumnKind::text) return {};
    if (column.kind == ColumnKind::number) names.push_back(column.name);
    for (const std::string& value : column.values) names.push_back(column.name + "=" + value);
  }
  // A category `a` with the value b collides with a number called `a=b`.
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      header.fail(
          fmt::format("two columns give a feature called {}, expected different names; rename one", in_quotes(name)));
    }
  }
  return names;
}

}  // namespace

void encode_texts(CsvScanner& table, const TableHeader& header, const TableRoles& roles, TableSchema& schema) {
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind == ColumnKind::text) texts.push_back(i);
  }
  if (texts.empty()) return;
  // The encoder does not know where its texts come from.
  const auto placed = [&](const TableColumn& column, const Error& error) {
    return fmt::format("text column {}: {}", in_quotes(column.name), error.what());
  };
  CellText text;
  table.rewind();
  while (table.next()) {
    for (const std::size_t i : texts) {
      const std::string_view cell = text(table.fields()[roles.features[i]]);
      try {
        schema.columns[i].encoder->add(is_missing(cell) ? std::string_view() : cell);
      } catch (const Error& error) {
        table.fail(placed(schema.columns[i], error));
      }
    }
  }
  for (const std::size_t i : texts) {
    try {
      schema.columns[i].encoder->finish();
    } catch (const Error& error) {
      header.fail(placed(schema.columns[i], error));
    }
  }
}

void read_table_rows(CsvScanner& table, const TableHeader& header, const TableRoles& roles, const TableSchema& schema,
                     bool labels_required, std::int64_t stored_values, FeatureData& data) {
  data.feature_names = feature_names(header, schema);
  RowReader reader(table, header, roles, schema, labels_required, data);
  data.features.indices.reserve(static_cast<std::size_t>(stored_values));
  data.features.values.reserve(static_cast<std::size_t>(stored_values));
  reader.read_all();
}

}  // namespace mlpac
