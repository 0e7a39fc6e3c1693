// Writing libsvm files, and replacing the labels of one that exists.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "data/label_names.h"
#include "data/libsvm.h"
#include "data/libsvm_labels.h"
#include "data/libsvm_lines.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// Appends the shortest text that reads as the same float.
void append_number(std::string& text, float value) {
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), result.ptr);
}

void append_feature(std::string& text, std::int32_t index, float value) {
  text += ' ';
  fmt::format_to(std::back_inserter(text), "{}:", index);
  append_number(text, value);
}

/// Appends the labels of a row: their names, or their positions if `names` is null.
void append_labels(std::string& text, const Labels& labels, std::int64_t row, const std::vector<std::string>* names) {
  const char* separator = "";
  for (const LabelEntry& entry : labels.row(row)) {
    text += separator;
    if (entry.state == kKnownNegative) text += '!';
    if (names != nullptr) {
      text += (*names)[static_cast<std::size_t>(entry.column)];
    } else {
      fmt::format_to(std::back_inserter(text), "{}", entry.column);
    }
    separator = ",";
  }
}

/// What no libsvm file can hold, and what the reader would take for something else.
void check(const FeatureData& data, const std::filesystem::path& path, bool header) {
  const auto refuse = [&](std::string_view what) {
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), what));
  };
  if (data.features.rows() != data.labels.rows()) refuse("features and labels have different numbers of rows");
  if (data.label_names.size() != static_cast<std::size_t>(data.labels.classes())) refuse("every label needs a name");
  if (data.features.rows() == 0 || data.features.columns == 0) refuse("there are no rows or no features");
  if (data.features.columns > kMostLibsvmFeatures || data.labels.classes() > kMostLibsvmLabels) {
    refuse(fmt::format("there are more than {} features or {} labels", kMostLibsvmFeatures, kMostLibsvmLabels));
  }
  for (const float value : data.features.values) {
    if (std::isinf(value)) refuse("a feature is infinite");
  }
  if (!header || !libsvm_labels_are_names(data.label_names)) return;
  for (std::size_t i = 0; i < data.label_names.size(); ++i) {
    // Below a header, numbers are positions; the reader could not tell them from names that are other numbers.
    if (data.label_names[i] != std::to_string(i)) {
      refuse(fmt::format("label {} is called {}, but below a header labels count from 0; write the file without header",
                         i, in_quotes(data.label_names[i])));
    }
  }
}

}  // namespace

void write_libsvm(const FeatureData& data, const std::filesystem::path& path, bool header) {
  check(data, path, header);
  const FeatureMatrix& features = data.features;
  const bool by_name = libsvm_labels_are_names(data.label_names);
  const std::int32_t last_column = features.columns - 1;
  std::string text;
  if (header) text = fmt::format("{} {} {}\n", features.rows(), features.columns, data.labels.classes());
  std::int32_t largest = -1;
  for (const std::int32_t index : features.indices) largest = std::max(largest, index);
  for (std::int64_t row = 0; row < features.rows(); ++row) {
    const auto first = static_cast<std::size_t>(features.offsets[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(features.offsets[static_cast<std::size_t>(row) + 1]);
    append_labels(text, data.labels, row, by_name ? &data.label_names : nullptr);
    for (std::size_t i = first; i < last; ++i) append_feature(text, features.indices[i], features.values[i]);
    // A zero keeps a row that would be an empty line, and, once, the number of columns if the last ones are empty.
    const bool empty = first == last && data.labels.row(row).empty();
    const bool columns_unsaid = !header && row == 0 && largest < last_column;
    if (empty || columns_unsaid) append_feature(text, last_column, 0);
    text += '\n';
  }
  write_file_atomically(path, text);
}

std::string relabel_libsvm(const std::filesystem::path& path, const ReadOptions& options, const FeatureData& data) {
  const std::string text = read_file(path);
  LineReader lines(text, path.string());
  LibsvmLines rows(lines);
  const bool by_name = libsvm_labels_are_names(wanted_labels(options));
  std::string changed;
  changed.reserve(text.size());
  std::size_t copied = 0;  // bytes of the text that are in `changed`, or replaced there
  std::int64_t row = 0;
  for (; row < data.labels.rows() && rows.next(); ++row) {
    const auto begin = static_cast<std::size_t>(rows.labels().data() - text.data());
    changed.append(text, copied, begin - copied);
    copied = begin + rows.labels().size();
    append_labels(changed, data.labels, row, by_name ? &data.label_names : nullptr);
    const bool labelled = !data.labels.row(row).empty();
    const std::string_view rest = rows.features();
    const std::size_t comment = rest.find('#');
    const bool blank_is_row = rows.shape() && comment == std::string_view::npos;
    if (!labelled && !blank_is_row && trim(rest.substr(0, comment)).empty()) {
      append_feature(changed, data.features.columns - 1, 0);
    } else if (labelled && !rest.empty() && !ends_libsvm_token(rest.front())) {
      changed += ' ';
    }
  }
  if (row != data.labels.rows() || rows.next()) {
    throw Error(
        fmt::format("{}: does not have the {} rows that were read from it, expected the same file; did it change?",
                    path.string(), data.labels.rows()));
  }
  changed.append(text, copied);
  return changed;
}

}  // namespace mlpac
