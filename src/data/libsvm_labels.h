// The labels of libsvm rows: numbers, or names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/label_names.h"
#include "data/libsvm_lines.h"
#include "data/line_reader.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {

/// True if the labels in a file are the names themselves: they are whole numbers, or nothing is known about them.
/// Otherwise a number is the position of a name.
bool libsvm_labels_are_names(const std::vector<std::string>& names);

/// Turns the label lists of rows into the label matrix. Numbers are positions if a header or a list of names says how
/// many there are; otherwise they are looked up or collected as names.
class LibsvmLabels {
 public:
  LibsvmLabels(const ReadOptions& options, const std::optional<LibsvmShape>& shape, const LineReader& lines);

  /// The labels of the next row, separated by commas; may be empty. Throws Error for one that is not known.
  void add_row(std::string_view list);

  /// The label matrix and the names. Throws Error if labels are required and there are none.
  void finish(FeatureData& data);

 private:
  void add(std::string_view token);
  void add_position(std::string_view token, bool negative, const std::optional<std::int64_t>& number);
  void add_name(std::string_view token, bool negative, const std::optional<std::int64_t>& number);
  void end_row();
  [[noreturn]] void fail_unknown(std::string_view token) const;

  const LineReader* lines_;
  bool required_;
  std::vector<std::string> names_;     ///< given ones; empty if none are
  std::optional<std::int64_t> shape_;  ///< number of labels in the header
  bool seen_ = false;                  ///< some row has a label
  std::string key_;                    ///< spares an allocation per look-up

  bool positions_;  ///< labels are positions: these members; otherwise they are names: collector_
  std::int64_t classes_ = 0;
  std::unordered_map<std::string, std::int32_t> columns_;  ///< of given names, which also may be written
  std::vector<LabelEntry> row_;
  Labels labels_;

  LabelCollector collector_;
};

}  // namespace mlpac
