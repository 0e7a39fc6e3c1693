// Reading a libsvm file: what the lines are (libsvm_lines), their labels (libsvm_labels) and features (libsvm_rows).
#include "data/libsvm.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "data/libsvm_labels.h"
#include "data/libsvm_lines.h"
#include "data/libsvm_rows.h"
#include "data/line_reader.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

FeatureData read_lines(LineReader& lines, std::size_t bytes, const ReadOptions& options) {
  try {
    FeatureData data;
    data.source = lines.source();
    LibsvmLines rows(lines);
    LibsvmLabels labels(options, rows.shape(), lines);
    LibsvmRows features(rows.shape(), bytes, lines, data.features);
    while (rows.next()) {
      labels.add_row(rows.labels());
      features.add_row(rows.features());
    }
    features.finish();
    data.open_ended = true;
    labels.finish(data);
    return data;
  } catch (const std::bad_alloc&) {
    lines.fail("the memory of this machine is too small for the file, expected a smaller one; split it");
  }
}

/// What a few lines say about the format.
struct Evidence {
  std::int64_t rows = 0;
  std::int64_t features = 0;
  bool names = false;  ///< some label is not a number
};

bool is_feature(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view text = token.substr(colon + 1);
  std::int64_t index = 0;
  float value = 0;
  return parse_index(token.substr(0, colon), index) &&
         (parse_number(text, value) == Number::good || equals_ignoring_case(text, "nan"));
}

/// Judges one row; false if it is none. If the line may be cut, nothing is expected of its last token.
bool judge_row(std::string_view line, bool cut, Evidence& evidence) {
  line = line.substr(0, line.find('#'));
  const std::string_view labels = libsvm_labels_of(line);
  if (cut && labels.size() == line.size()) return true;
  const bool names = labels.find_first_not_of("0123456789,.!+-eE") != std::string_view::npos;
  if (labels.starts_with("__label__") || labels.find_first_of("\"'{}<>[]()@=;") != std::string_view::npos) return false;
  if (!labels.empty() && (labels.front() == ',' || labels.back() == ',')) return false;
  line = trim(line.substr(labels.size()));
  if (names && line.empty()) return false;
  while (!line.empty()) {
    const std::string_view token = line.substr(0, line.find_first_of(" \t"));
    line = trim(line.substr(token.size()));
    if (is_feature(token)) {
      ++evidence.features;
    } else if (!token.starts_with("qid:") && !(cut && line.empty())) {
      return false;
    }
  }
  evidence.names = evidence.names || names;
  ++evidence.rows;
  return true;
}

}  // namespace

FeatureData parse_libsvm(std::string_view text, std::string source, const ReadOptions& options) {
  LineReader lines(text, std::move(source));
  return read_lines(lines, text.size(), options);
}

FeatureData read_libsvm(const std::filesystem::path& path, const ReadOptions& options) {
  LineReader lines(path);
  std::error_code unknown;  // a pipe has no size
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  return read_lines(lines, unknown ? 0 : static_cast<std::size_t>(bytes), options);
}

bool looks_like_libsvm(std::string_view head) {
  const bool whole_lines = !head.empty() && head.back() == '\n';
  LineReader lines(head, {});
  Evidence evidence;
  bool first = true;
  while (lines.next()) {
    const std::string_view line = lines.line();
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#') continue;
    const bool header = first && parse_libsvm_shape(line).has_value();
    first = false;
    if (header) continue;
    const bool cut = !whole_lines && line.data() + line.size() == head.data() + head.size();
    if (!judge_row(line, cut, evidence)) return false;
  }
  // Prose has a word and a time of day now and then ("lunch 12:30"), but not several in every line.
  return evidence.features > 0 && (!evidence.names || evidence.features >= 2 * evidence.rows);
}

}  // namespace mlpac
