// Which labels there are: fixed by a list or a trained model, or collected from a file that names them row by row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {

/// The labels that label_file and label_names ask for, in the order of the label columns; empty if neither is given.
std::vector<std::string> wanted_labels(const ReadOptions& options);

/// Labels of formats that list the names of a row's labels (libsvm, text, a column of CSV). `!name` is a known
/// negative.
class LabelCollector {
 public:
  /// `known` empty: every name that occurs becomes a label. `required` false: names that are not known are left out.
  LabelCollector(std::vector<std::string> known, bool required);

  /// One name of the current row; false if it is not one of the known labels.
  bool add(std::string_view name);
  /// Ends the row. The name that was given both as positive and as negative, or an empty text.
  std::string end_row();

  /// The names (collected ones sorted: as numbers if all are, otherwise as text) and the label matrix.
  void finish(FeatureData& data);

 private:
  bool fixed_;
  bool required_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::string key_;  ///< spares an allocation per look-up
  std::vector<std::int64_t> offsets_{0};
  std::vector<LabelEntry> entries_;
};

}  // namespace mlpac
