#include "data/feature_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/label_names.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Compressed rows take 8 bytes for a value that is not 0, dense ones 4 for every column.
bool worth_dense(const FeatureMatrix& features) {
  const double cells = static_cast<double>(features.rows()) * features.columns;
  if (features.columns == 0 || 2 * static_cast<double>(features.values.size()) < cells) return false;
  // A zero that is stored on purpose could not be told from one that is not.
  return std::find(features.values.begin(), features.values.end(), 0.0F) == features.values.end();
}

FeatureData without_rows(const FeatureData& data) {
  FeatureData about;
  about.source = data.source;
  about.feature_names = data.feature_names;
  about.label_names = data.label_names;
  about.open_ended = data.open_ended;
  about.schema = data.schema;
  about.labels = Labels(data.labels.classes());
  about.features.columns = data.features.columns;
  return about;
}

/// Sums over columns as two arrays.
void add_statistics(const ColumnStatistics& statistics, StoreWriter& writer) {
  std::vector<double> sums;
  std::vector<std::int64_t> counts;
  for (const auto& column : statistics.columns) {
    sums.insert(sums.end(), {column.sum, column.squares, column.largest});
    counts.insert(counts.end(), {column.stored, column.missing});
  }
  writer.add<double>("column_sums", sums);
  writer.add<std::int64_t>("column_counts", counts);
}

ColumnStatistics statistics_of(const Store& store, std::int64_t rows, std::int64_t stored, std::size_t columns) {
  const auto sums = store.load<double>("column_sums");
  const auto counts = store.load<std::int64_t>("column_counts");
  if (sums.size() != 3 * columns || counts.size() != 2 * columns) store.fail("its sums do not fit its columns");
  ColumnStatistics statistics{rows, stored, std::vector<ColumnSums>(columns)};
  for (std::size_t c = 0; c < columns; ++c) {
    statistics.columns[c] = {sums[3 * c], sums[3 * c + 1], sums[3 * c + 2], counts[2 * c], counts[2 * c + 1]};
  }
  return statistics;
}

FeatureView view_of(const std::shared_ptr<const Store>& store, std::int64_t rows, std::int32_t columns,
                    std::int64_t stored) {
  FeatureView::Mapped mapped;
  mapped.rows = rows;
  mapped.columns = columns;
  mapped.stored = stored;
  mapped.file = store->file();
  mapped.owner = store;
  if (store->about().value("layout", std::string()) == "dense") {
    const auto width = static_cast<std::size_t>(columns);
    if (columns == 0 || static_cast<std::size_t>(rows) > std::numeric_limits<std::size_t>::max() / 8 / width) {
      store->fail("its rows and columns are not possible");
    }
    mapped.values = store->mapped<float>("values", static_cast<std::size_t>(rows) * width);
  } else {
    mapped.values = store->mapped<float>("values", static_cast<std::size_t>(stored));
    mapped.indices = store->mapped<std::int32_t>("columns", static_cast<std::size_t>(stored));
    mapped.offsets = store->offsets("row_offsets", rows, stored);
  }
  return FeatureView(std::move(mapped));
}

/// What a model was trained on decides what columns mean; rows that were made numbers in another way do not fit.
void require_schema(const nlohmann::json& own, const nlohmann::json& wanted, const std::string& source) {
  if (wanted.is_null() || own == wanted) return;
  throw Error(
      fmt::format("{}: was packed with other columns or another vocabulary than the model was trained on; make it "
                  "again with mlpac pack --like, naming the store or run it is to fit",
                  source));
}

}  // namespace

FeatureTable::FeatureTable(FeatureData data) : about(std::move(data)), rows(std::move(about.features)) {
  about.features = {};
}

void FeatureTable::summarise() {
  if (statistics) return;
  statistics.emplace().add(rows);
  FeatureFingerprint sum;
  sum.add(rows);
  fingerprint = sum.finish(about.labels);
}

FeatureStoreWriter::FeatureStoreWriter(const std::filesystem::path& path, const FeatureData& first, bool overwrite)
    : about_(without_rows(first)),
      dense_(worth_dense(first.features)),
      writer_(path, std::string(kFeatureStore),
              {{"layout", dense_ ? "dense" : "sparse"}, {"open_ended", first.open_ended}, {"schema", first.schema}},
              overwrite),
      values_(writer_.begin<float>("values")) {
  if (!dense_) indices_ = writer_.begin<std::int32_t>("columns");
}

void FeatureStoreWriter::append(const FeatureData& data, const std::function<void(double)>& progress) {
  const auto& features = data.features;
  const bool same = features.columns == about_.features.columns && data.feature_names == about_.feature_names;
  if (!same && !(about_.open_ended && data.open_ended)) {
    throw Error(fmt::format("{}: has {} columns, expected the {} of {}, by the same names", data.source,
                            features.columns, about_.features.columns, about_.source));
  }
  if (data.label_names != about_.label_names) {
    throw Error(
        fmt::format("{}: has other labels than {}, expected the same in all inputs", data.source, about_.source));
  }
  if (rows() > 0 && data.ids.empty() != about_.ids.empty()) {
    throw Error(fmt::format("{}: either all inputs have ids of their rows, or none", data.source));
  }
  about_.features.columns = std::max(about_.features.columns, features.columns);
  about_.ids.insert(about_.ids.end(), data.ids.begin(), data.ids.end());
  for (std::int64_t row = 0; row < data.labels.rows(); ++row) {
    about_.labels.append({data.labels.row(row).begin(), data.labels.row(row).end()});
  }
  const FeatureView view(features);
  statistics_.add(view);
  fingerprint_.add(view);
  constexpr std::int64_t kTold = 4096;
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    if (row % kTold == 0) progress(static_cast<double>(row) / static_cast<double>(view.rows()));
    append_row(view, row);
  }
}

void FeatureStoreWriter::append_row(const FeatureView& features, std::int64_t row) {
  if (dense_) {
    row_.assign(static_cast<std::size_t>(features.columns()), 0.0F);
    features.visit(row, [this](std::int32_t column, float value) { row_[static_cast<std::size_t>(column)] = value; });
  } else {
    row_.clear();
    row_columns_.clear();
    features.visit(row, [this](std::int32_t column, float value) {
      row_.push_back(value);
      row_columns_.push_back(column);
    });
    writer_.append<std::int32_t>(indices_, row_columns_);
    offsets_.push_back(offsets_.back() + static_cast<std::int64_t>(row_.size()));
  }
  writer_.append<float>(values_, row_);
}

void FeatureStoreWriter::commit() {
  const auto columns = static_cast<std::int64_t>(about_.features.columns);
  if (dense_) {
    writer_.set_shape(values_, {columns});
  } else {
    writer_.add<std::int64_t>("row_offsets", offsets_);
  }
  add_statistics(statistics_, writer_);
  writer_.add_labels(about_.labels);
  writer_.add_strings("label_names", about_.label_names);
  writer_.add_strings("feature_names", about_.feature_names);
  writer_.add_strings("ids", about_.ids);
  auto& about = writer_.about();
  about["rows"] = statistics_.rows;
  about["columns"] = columns;
  about["stored"] = statistics_.stored;
  about["fingerprint"] = fingerprint_.finish(about_.labels);
  writer_.commit();
}

FeatureTable open_feature_store(const std::shared_ptr<const Store>& store, const ReadOptions& options) {
  const auto& source = store->source();
  store->require_kind(kFeatureStore);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 64;
  const auto rows = store->whole("rows", 0, kMost);
  const auto stored = store->whole("stored", 0, kMost);
  const auto columns = static_cast<std::int32_t>(store->whole("columns", 0, std::numeric_limits<std::int32_t>::max()));
  FeatureTable table;
  auto& about = table.about;
  about.source = source;
  about.schema = store->about().value("schema", nlohmann::json());
  require_schema(about.schema, options.schema, source);
  about.open_ended = store->about().value("open_ended", nlohmann::json()) == true;
  about.label_names = store->strings("label_names");
  about.feature_names = store->strings("feature_names");
  about.ids = store->strings("ids");
  table.rows = view_of(store, rows, columns, stored);
  table.statistics = statistics_of(*store, rows, stored, static_cast<std::size_t>(columns));
  const auto fingerprint = store->about().value("fingerprint", nlohmann::json());
  table.fingerprint = fingerprint.is_string() ? fingerprint.get<std::string>() : std::string();
  if (!about.feature_names.empty() && about.feature_names.size() != static_cast<std::size_t>(columns)) {
    store->fail("its names do not fit its columns");
  }
  if (!about.ids.empty() && about.ids.size() != static_cast<std::size_t>(rows)) {
    store->fail("its ids do not fit its rows");
  }
  about.labels = store->labels(rows, static_cast<std::int32_t>(about.label_names.size()));
  const auto wanted = wanted_labels(options);
  if (about.label_names.empty()) {
    if (options.labels_required) {
      throw Error(fmt::format("{}: there are no labels in this store; make it again from labelled data", source));
    }
  } else if (!wanted.empty()) {
    about.labels = with_label_names(std::move(about.labels), about.label_names, wanted, source);
    about.label_names = wanted;
  }
  return table;
}

FeatureTable open_feature_store(const std::filesystem::path& path, const ReadOptions& options) {
  return open_feature_store(std::make_shared<const Store>(path), options);
}

FeatureTable open_features(const std::filesystem::path& path, const ReadOptions& options) {
  const auto& reader = reader_of(path, options);
  if (reader.read == read_feature_store) return open_feature_store(path, options);
  return FeatureTable(reader.read(path, options));
}

FeatureData read_feature_store(const std::filesystem::path& path, const ReadOptions& options) {
  auto table = open_feature_store(path, options);
  auto data = std::move(table.about);
  data.features = table.rows.matrix();
  return data;
}

}  // namespace mlpac
