// Reading an ARFF file: declarations (arff_header), a table of what each value sets (arff_encoding), rows (arff_rows).
#include "data/arff.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/arff_encoding.h"
#include "data/arff_header.h"
#include "data/arff_lexer.h"
#include "data/arff_rows.h"
#include "data/label_names.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// The attributes that the patterns fit, in the order of the file. None of them fitting is no error if labels are not
/// required.
std::vector<std::string> matching_labels(const std::vector<ArffAttribute>& attributes, const ReadOptions& options,
                                         const LineReader& lines) {
  std::vector<std::string> names;
  std::vector<bool> used(options.label_columns.size(), false);
  for (const ArffAttribute& attribute : attributes) {
    bool label = false;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!fits_pattern(options.label_columns[i], attribute.name)) continue;
      used[i] = true;
      label = true;
    }
    if (label) names.push_back(attribute.name);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] || (names.empty() && !options.labels_required)) continue;
    lines.fail(fmt::format("--label-columns names {}, which is no attribute of this file, expected one",
                           in_quotes(options.label_columns[i])));
  }
  return names;
}

FeatureData read_lines(LineReader& lines, const ReadOptions& options) {
  std::vector<std::string> label_names = wanted_labels(options);
  if (label_names.empty() && options.label_columns.empty() && options.labels_required) {
    throw Error(fmt::format(
        "{}: nothing says which attributes are labels, expected --labels with a Mulan XML file or a list of "
        "names, or --label-columns",
        lines.source()));
  }
  try {
    ArffLexer lexer(lines);
    const std::vector<ArffAttribute> attributes = read_arff_header(lines, lexer);
    if (label_names.empty()) label_names = matching_labels(attributes, options, lines);
    ArffEncoding encoding = encode_arff(attributes, label_names, options.labels_required, lines);
    FeatureData data;
    data.source = lines.source();
    data.features.columns = static_cast<std::int32_t>(encoding.feature_names.size());
    data.labels = Labels(static_cast<std::int32_t>(encoding.label_names.size()));
    read_arff_rows(lines, lexer, attributes, encoding, data);
    data.feature_names = std::move(encoding.feature_names);
    data.label_names = std::move(encoding.label_names);
    return data;
  } catch (const std::bad_alloc&) {
    lines.fail("the memory of this machine is too small for the file, expected a smaller one; split it");
  }
}

}  // namespace

FeatureData parse_arff(std::string_view text, std::string source, const ReadOptions& options) {
  LineReader lines(text, std::move(source));
  return read_lines(lines, options);
}

FeatureData read_arff(const std::filesystem::path& path, const ReadOptions& options) {
  LineReader lines(path);
  return read_lines(lines, options);
}

bool looks_like_arff(std::string_view head) {
  LineReader lines(head, {});
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '%') continue;
    return equals_ignoring_case(line.substr(0, 9), "@relation") ||
           equals_ignoring_case(line.substr(0, 10), "@attribute");
  }
  return false;
}

}  // namespace mlpac
