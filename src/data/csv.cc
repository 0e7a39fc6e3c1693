#include "data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "core/file.h"
#include "data/arff.h"
#include "data/csv_scanner.h"
#include "data/number.h"
#include "data/table.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

[[noreturn]] void fail_memory(const std::string& source) {
  throw Error(fmt::format("{}: the memory of this machine is too small for the file, expected a smaller one; split it",
                          source));
}

/// `index:value` of libsvm.
bool is_libsvm_entry(std::string_view word) {
  const std::size_t colon = word.find(':');
  std::int64_t index = 0;
  float value = 0;
  return colon != std::string_view::npos && parse_index(word.substr(0, colon), index) &&
         parse_number(word.substr(colon + 1), value) == Number::good;
}

/// Labels, then only entries.
bool is_libsvm_line(std::string_view line) {
  bool entries = false;
  for (bool first = true; !line.empty(); first = false) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) continue;
    const bool entry = is_libsvm_entry(word);
    if (!entry && !first) return false;
    entries = entries || entry;
  }
  return entries;
}

bool is_other_format(std::string_view head) {
  const std::string_view first = trim(head.substr(0, head.find('\n')));
  if (first.empty()) return true;
  const bool markup = first.front() == '<' || first.front() == '{' || first.front() == '[';  // XML, JSON
  return markup || first.starts_with("__label__") || is_libsvm_line(first) || looks_like_arff(head);
}

}  // namespace

FeatureData parse_csv(std::string_view text, const std::string& source, const ReadOptions& options) {
  try {
    return read_table(text, source, options);
  } catch (const std::bad_alloc&) {
    fail_memory(source);
  }
}

FeatureData read_csv(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    return read_table(read_file(path, CsvScanner::kLongestRecord), path.string(), options);
  } catch (const std::bad_alloc&) {
    fail_memory(path.string());
  }
}

bool looks_like_csv(std::string_view head) {
  head = without_byte_order_mark(head);
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  if (head.find('\0') != std::string_view::npos || is_other_format(head)) return false;
  const CsvShape first = csv_shape(head);
  const std::size_t delimiter = first.most();
  const std::size_t expected = first.counts[delimiter];
  if (expected == 0) return false;
  std::size_t lines = 0;
  while (!head.empty()) {
    const CsvShape shape = csv_shape(head);
    const bool empty = trim(head.substr(0, shape.size)).empty();
    const bool cut = !shape.complete && shape.counts[delimiter] < expected;
    head.remove_prefix(shape.size);
    if (empty || cut) continue;
    if (shape.counts[delimiter] != expected) return false;
    ++lines;
  }
  return lines >= 2;
}

std::string relabel_csv(const std::filesystem::path& path, const ReadOptions& options, const FeatureData& data) {
  std::error_code ignored;  // a path that cannot be examined is no regular file either
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw Error(fmt::format("{}: is not a regular file and can be read only once, expected a file", path.string()));
  }
  try {
    return relabel_csv_text(read_file(path), path.string(), options, data);
  } catch (const std::bad_alloc&) {
    fail_memory(path.string());
  }
}

}  // namespace mlpac
