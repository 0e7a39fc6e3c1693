#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/file.h"
#include "data/mulan_xml.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// Appends a name, in quotes if the reader would otherwise see something else.
void append_name(std::string& text, std::string_view name) {
  constexpr std::string_view kSpecial = " \t\r\n\f\v,{}%'\"\\?";
  if (name.find_first_of(kSpecial) == std::string_view::npos) {
    text += name;
    return;
  }
  text += '\'';
  for (const char c : name) {
    switch (c) {
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '\'':
      case '\\':
        text += '\\';
        [[fallthrough]];
      default:
        text += c;
    }
  }
  text += '\'';
}

/// Appends the shortest text that reads as the same float.
void append_number(std::string& text, float value) {
  if (std::isnan(value)) {
    text += '?';
    return;
  }
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), result.ptr);
}

/// What no ARFF file can hold, and what the reader would refuse.
void check(const FeatureData& data, const std::filesystem::path& path) {
  const auto refuse = [&](std::string_view what) {
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), what));
  };
  if (data.features.rows() != data.labels.rows()) refuse("features and labels have different numbers of rows");
  if (data.feature_names.size() != static_cast<std::size_t>(data.features.columns) ||
      data.label_names.size() != static_cast<std::size_t>(data.labels.classes())) {
    refuse("every column needs a name");
  }
  std::unordered_set<std::string_view> seen;
  const auto check_name = [&](const std::string& name) {
    if (name.empty() || name.find('\0') != std::string::npos) refuse("a name is empty or contains a zero byte");
    if (!seen.insert(name).second) refuse(fmt::format("the name {} occurs twice", in_quotes(name)));
  };
  for (const std::string& name : data.feature_names) check_name(name);
  for (const std::string& name : data.label_names) check_name(name);
  for (const float value : data.features.values) {
    if (std::isinf(value)) refuse("a feature is infinite");
  }
}

struct Row {
  std::span<const std::int32_t> columns;
  std::span<const float> values;
  std::span<const LabelEntry> labels;
};

void append_dense(std::string& text, const Row& row, std::int32_t features, std::int32_t classes) {
  std::size_t next = 0;
  for (std::int32_t column = 0; column < features; ++column) {
    if (column > 0) text += ',';
    if (next < row.columns.size() && row.columns[next] == column) {
      append_number(text, row.values[next++]);
    } else {
      text += '0';
    }
  }
  next = 0;
  for (std::int32_t column = 0; column < classes; ++column) {
    if (features > 0 || column > 0) text += ',';
    if (next < row.labels.size() && row.labels[next].column == column) {
      fmt::format_to(std::back_inserter(text), "{}", row.labels[next++].state);
    } else {
      text += '0';
    }
  }
}

void append_sparse(std::string& text, const Row& row, std::int32_t features) {
  const char* separator = "{";
  for (std::size_t i = 0; i < row.columns.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{} ", separator, row.columns[i]);
    append_number(text, row.values[i]);
    separator = ",";
  }
  for (const LabelEntry& entry : row.labels) {
    fmt::format_to(std::back_inserter(text), "{}{} {}", separator, features + entry.column, entry.state);
    separator = ",";
  }
  text += *separator == '{' ? "{}" : "}";
}

}  // namespace

void write_arff(const FeatureData& data, const std::filesystem::path& path, const std::filesystem::path& label_file) {
  check(data, path);
  const FeatureMatrix& features = data.features;
  std::string text = "@relation ";
  append_name(text, path.stem().string());
  text += "\n\n";
  for (const std::string& name : data.feature_names) {
    text += "@attribute ";
    append_name(text, name);
    text += " numeric\n";
  }
  // 0 comes first: in sparse rows a value left out is the first one.
  const char* const states = data.labels.count(kKnownNegative) > 0 ? " {0,1,-1}\n" : " {0,1}\n";
  for (const std::string& name : data.label_names) {
    text += "@attribute ";
    append_name(text, name);
    text += states;
  }
  text += "\n@data\n";
  const bool sparse = 2 * static_cast<std::int64_t>(features.values.size()) < features.rows() * features.columns;
  for (std::int64_t i = 0; i < features.rows(); ++i) {
    const auto first = static_cast<std::size_t>(features.offsets[static_cast<std::size_t>(i)]);
    const auto count = static_cast<std::size_t>(features.offsets[static_cast<std::size_t>(i) + 1]) - first;
    const Row row{std::span(features.indices).subspan(first, count), std::span(features.values).subspan(first, count),
                  data.labels.row(i)};
    if (sparse) {
      append_sparse(text, row, features.columns);
    } else {
      append_dense(text, row, features.columns, data.labels.classes());
    }
    text += '\n';
  }
  write_file_atomically(path, text);
  if (!label_file.empty()) write_file_atomically(label_file, label_names_as_xml(data.label_names));
}

}  // namespace mlpac
