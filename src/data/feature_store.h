// Feature data in a store: dense rows of float32, or compressed ones where most values are 0, with labels, names, and
// the sums over columns that scaling needs, so that opening it takes no pass over the rows.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "data/column_statistics.h"
#include "data/feature_view.h"
#include "data/store_writer.h"
#include "mlpac/feature_data.h"

namespace mlpac {

inline constexpr std::string_view kFeatureStore = "features";  ///< the kind of these stores

/// Feature data whose rows may lie in a file.
struct FeatureTable {
  FeatureTable() = default;
  /// Data in memory.
  explicit FeatureTable(FeatureData data);

  /// Sets what training wants to know of all rows, unless a store says it already.
  void summarise();

  FeatureData about;  ///< all but the rows: `about.features` is empty
  FeatureView rows;
  std::optional<ColumnStatistics> statistics;
  std::string fingerprint;
};

/// Writes rows as they come; memory holds their labels, ids and a number each.
class FeatureStoreWriter {
 public:
  /// `first`: its names, schema and share of zeros decide the layout; its rows are not written yet.
  FeatureStoreWriter(const std::filesystem::path& path, const FeatureData& first, bool overwrite);

  /// More rows; Error that names the source if columns or labels are others than those of the first. `progress` is told
  /// the share that is done.
  void append(
      const FeatureData& data, const std::function<void(double)>& progress = [](double) {});
  void commit();

  bool dense() const { return dense_; }
  std::int64_t rows() const { return statistics_.rows; }
  std::uint64_t bytes() const { return writer_.bytes(); }

 private:
  void append_row(const FeatureView& features, std::int64_t row);

  FeatureData about_;
  bool dense_;
  StoreWriter writer_;
  std::size_t values_;
  std::size_t indices_ = 0;
  std::vector<std::int64_t> offsets_{0};
  std::vector<float> row_;
  std::vector<std::int32_t> row_columns_;
  ColumnStatistics statistics_;
  FeatureFingerprint fingerprint_;
};

/// Opens a store for training or prediction. Of the options, label names, whether labels are needed, and the schema of
/// a model count; how files are read was settled when the store was made.
FeatureTable open_feature_store(const std::filesystem::path& path, const ReadOptions& options);
FeatureTable open_feature_store(const std::shared_ptr<const Store>& store, const ReadOptions& options);

/// The file that is a store where it lies, and any other in memory.
FeatureTable open_features(const std::filesystem::path& path, const ReadOptions& options);

/// The reader of the table: everything in memory, for commands that look at data rather than train on it.
FeatureData read_feature_store(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace mlpac
