#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/record_file.h"
#include "data/csv_scanner.h"
#include "data/table.h"
#include "data/table_value.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "review/instances.h"

namespace mlpac {
namespace {

constexpr std::size_t kMostShown = 40;        // values: more are not looked at
constexpr std::size_t kLongestCell = 20'000;  // bytes of a text that are shown

/// Labels and ids of feature data; features are read when they are shown, or kept by who needs them.
class LabelledRows : public Instances {
 public:
  LabelledRows(Labels labels, std::vector<std::string> label_names, std::vector<std::string> ids, std::string source)
      : labels_(std::move(labels)),
        label_names_(std::move(label_names)),
        ids_(std::move(ids)),
        source_(std::move(source)) {}

  std::int64_t size() const override { return labels_.rows(); }

  std::vector<std::string> annotated(const InstanceName& name) const override {
    check(name);
    std::vector<std::string> names;
    for (const LabelEntry& entry : labels_.row(name.row)) {
      if (entry.state == kAnnotated) names.push_back(label_names_[static_cast<std::size_t>(entry.column)]);
    }
    return names;
  }

 protected:
  void check(const InstanceName& name) const {
    if (name.row < 0 || name.row >= labels_.rows()) {
      throw Error(fmt::format("{}: has {} rows, but row {} is asked for; were the suggestions made for other data?",
                              source_, labels_.rows(), name.row));
    }
    if (!ids_.empty() && ids_[static_cast<std::size_t>(name.row)] != name.id) {
      throw Error(
          fmt::format("{}: row {} is {}, but the suggestions call it {}; were they made for other data, or "
                      "without --id?",
                      source_, name.row, in_quotes(ids_[static_cast<std::size_t>(name.row)]), in_quotes(name.id)));
    }
  }

 private:
  Labels labels_;
  std::vector<std::string> label_names_;
  std::vector<std::string> ids_;
  std::string source_;
};

/// The cells of a table as they stand in the file: people know their own columns and texts.
class TableInstances : public LabelledRows {
 public:
  TableInstances(FeatureData data, const std::filesystem::path& path, const ReadOptions& read)
      : LabelledRows(std::move(data.labels), std::move(data.label_names), std::move(data.ids), path.string()),
        file_(path) {
    const std::string text = read_file(path);
    Table table(text, path.string(), read);
    delimiter_ = table.rows.delimiter();
    names_ = table.header.names();
    hidden_.resize(names_.size(), false);
    for (const std::size_t column : table.roles.labels) hidden_[column] = true;
    if (table.roles.list) hidden_[*table.roles.list] = true;
    table.rows.rewind();
    while (table.rows.next()) {
      const auto& fields = table.rows.fields();
      const char* const begin = fields.front().raw.data();
      const char* const end = fields.back().raw.data() + fields.back().raw.size();
      rows_.emplace_back(begin - text.data(), end - text.data());
    }
  }

  nlohmann::json show(const InstanceName& name) const override {
    check(name);
    const auto [begin, end] = rows_.at(static_cast<std::size_t>(name.row));
    const std::string text = file_.read(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end));
    CsvScanner scanner(text, file_.path().string(), delimiter_);
    auto columns = nlohmann::json::array();
    CellText cell;
    if (scanner.next()) {
      const auto& fields = scanner.fields();
      for (std::size_t i = 0; i < std::min(fields.size(), names_.size()); ++i) {
        if (hidden_[i]) continue;
        const std::string_view value = cell(fields[i]);
        columns.push_back({names_[i], to_utf8(value.substr(0, kLongestCell))});
      }
    }
    return {{"kind", "table"}, {"columns", std::move(columns)}};
  }

 private:
  RecordFile file_;
  char delimiter_ = ',';
  std::vector<std::string> names_;
  std::vector<bool> hidden_;  ///< columns of labels
  std::vector<std::pair<std::int64_t, std::int64_t>> rows_;
};

/// The largest values of a row.
class ValueInstances : public LabelledRows {
 public:
  explicit ValueInstances(FeatureData data)
      : LabelledRows(std::move(data.labels), std::move(data.label_names), std::move(data.ids), data.source),
        features_(std::move(data.features)),
        names_(std::move(data.feature_names)) {}

  nlohmann::json show(const InstanceName& name) const override {
    check(name);
    const auto row = static_cast<std::size_t>(name.row);
    std::vector<std::size_t> order;
    for (auto i = features_.offsets[row]; i < features_.offsets[row + 1]; ++i) {
      if (features_.values[static_cast<std::size_t>(i)] != 0) order.push_back(static_cast<std::size_t>(i));
    }
    const std::size_t all = order.size();
    const auto size_of = [&](std::size_t i) {
      const float value = std::abs(features_.values[i]);
      return std::isnan(value) ? -1.0F : value;  // missing values last
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    order.resize(std::min(order.size(), kMostShown));
    auto values = nlohmann::json::array();
    for (const std::size_t i : order) {
      const auto column = static_cast<std::size_t>(features_.indices[i]);
      const auto value = features_.values[i];
      values.push_back({column < names_.size() ? names_[column] : fmt::format("column {}", column + 1),
                        std::isnan(value) ? nlohmann::json() : nlohmann::json(value)});
    }
    return {{"kind", "values"}, {"values", std::move(values)}, {"all", all}};
  }

 private:
  FeatureMatrix features_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Instances> feature_instances(const std::filesystem::path& path, const ReadOptions& read) {
  const bool table = reader_of(path, read).name == "csv";
  FeatureData data = read_features(path, read);
  if (table) return std::make_unique<TableInstances>(std::move(data), path, read);
  return std::make_unique<ValueInstances>(std::move(data));
}

}  // namespace mlpac
