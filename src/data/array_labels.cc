#include "data/array_labels.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/label_names.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

[[noreturn]] void fail(const LabelArray& array, std::string_view what) {
  throw Error(fmt::format("{}: {}", array.source, what));
}

[[noreturn]] void fail_value(const LabelArray& array, std::int64_t row, std::int32_t column, float value) {
  if (array.flat) {
    fail(array, fmt::format("element {} (counted from 0) is {}, expected {} of a single class; for class numbers save "
                            "one column per class, np.eye(classes)[y]",
                            row, value, kLabelValues));
  }
  fail(array, fmt::format("row {}, column {} (counted from 0) is {}, expected {}", row, column, value, kLabelValues));
}

/// Which class each column is, by its name.
std::vector<std::int32_t> matched(const LabelArray& array, const std::vector<std::string>& known) {
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (std::size_t i = 0; i < known.size(); ++i) numbers.emplace(known[i], static_cast<std::int32_t>(i));
  std::vector<std::int32_t> classes;
  for (const std::string& name : array.names) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      fail(array, fmt::format("column {} (counted from 0) is named {}, which is not among the {} labels already known, "
                              "expected the same labels; was the model trained on other data?",
                              classes.size(), in_quotes(name), known.size()));
    }
    classes.push_back(found->second);
  }
  return classes;
}

std::vector<std::string> numbered(std::int32_t count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

void set_labels(const LabelArray& array, const ReadOptions& options, FeatureData& data) {
  const FeatureMatrix& matrix = array.matrix;
  if (matrix.rows() != data.features.rows()) {
    fail(array,
         fmt::format("the labels have {} rows, expected {} as the features have", matrix.rows(), data.features.rows()));
  }
  const auto columns = static_cast<std::size_t>(matrix.columns);
  // A sparse matrix may declare any number of classes; names are made only for as many as the file could speak of.
  if (constexpr std::size_t kAlways = 65536; columns > kAlways + array.bytes) {
    fail(array, fmt::format("the labels have {} classes, expected at most {} in a file of {} bytes; leave out classes "
                            "without labels",
                            columns, kAlways + array.bytes, array.bytes));
  }
  const std::vector<std::string> known = wanted_labels(options);
  if (!known.empty() && known.size() != columns) {
    fail(array,
         fmt::format("the labels have {} classes, expected {}, one per label that is named", columns, known.size()));
  }
  std::vector<std::int32_t> class_of(columns);
  std::iota(class_of.begin(), class_of.end(), 0);
  if (!known.empty() && !array.names.empty()) class_of = matched(array, known);
  data.label_names = !known.empty() ? known : !array.names.empty() ? array.names : numbered(matrix.columns);

  data.labels = Labels(matrix.columns);
  std::vector<LabelEntry> entries;
  for (std::int64_t row = 0; row < matrix.rows(); ++row) {
    entries.clear();
    const auto last = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
    for (auto k = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]); k < last; ++k) {
      const float value = matrix.values[k];
      if (std::isnan(value)) continue;
      if (value != 1 && value != -1) fail_value(array, row, matrix.indices[k], value);
      entries.push_back({class_of[static_cast<std::size_t>(matrix.indices[k])], static_cast<std::int8_t>(value)});
    }
    data.labels.append(entries);
  }
}

}  // namespace mlpac
