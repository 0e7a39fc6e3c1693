// What scaling and telling data apart need to know of all rows, collected in one pass over any number of pieces: the
// same numbers whether the rows are in memory or go by while a store is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "data/feature_view.h"
#include "mlpac/labels.h"

namespace mlpac {

/// Sums over the stored values of a column.
struct ColumnSums {
  double sum = 0;
  double squares = 0;
  double largest = 0;  ///< absolute value
  std::int64_t stored = 0;
  std::int64_t missing = 0;
};

struct ColumnStatistics {
  std::int64_t rows = 0;
  std::int64_t stored = 0;  ///< values that are not 0
  std::vector<ColumnSums> columns;

  /// More rows, behind those before.
  void add(const FeatureView& features);
};

/// A number that other features or labels would hardly have; a run is not resumed on other data.
class FeatureFingerprint {
 public:
  void add(const FeatureView& features);
  std::string finish(const Labels& labels);

 private:
  std::uint64_t hash_ = fnv1a64("features");
  std::vector<std::int64_t> offsets_{0};
};

}  // namespace mlpac
