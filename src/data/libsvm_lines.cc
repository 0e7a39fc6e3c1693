#include "data/libsvm_lines.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "data/line_reader.h"
#include "data/number.h"

namespace mlpac {
namespace {

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace

std::optional<LibsvmShape> parse_libsvm_shape(std::string_view line) {
  std::array<std::int64_t, 3> numbers{};
  std::size_t count = 0;
  while (!is_blank_line(line)) {
    line.remove_prefix(line.find_first_not_of(" \t"));
    const std::string_view token = line.substr(0, line.find_first_of(" \t"));
    if (count == numbers.size() || token.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    if (!parse_index(token, numbers[count])) numbers[count] = std::numeric_limits<std::int64_t>::max();
    line.remove_prefix(token.size());
    ++count;
  }
  if (count < numbers.size()) return std::nullopt;
  return LibsvmShape{numbers[0], numbers[1], numbers[2]};
}

std::string_view libsvm_labels_of(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ':') return line.substr(0, 0);
    if (ends_libsvm_token(line[i])) return line.substr(0, i);
  }
  return line;
}

LibsvmLines::LibsvmLines(LineReader& lines) : lines_(&lines) {
  while (next_line()) {
    if (is_blank_line(lines_->line())) continue;  // no row even if a header follows: it is the first line that counts
    shape_ = parse_libsvm_shape(lines_->line());
    pending_ = !shape_;
    if (shape_) check_shape();
    return;
  }
}

void LibsvmLines::check_shape() const {
  if (shape_->features > kMostLibsvmFeatures || shape_->labels > kMostLibsvmLabels) {
    lines_->fail(
        fmt::format("the header declares {} features and {} labels, expected at most {} and {}; is this the first line "
                    "of a libsvm file?",
                    shape_->features, shape_->labels, kMostLibsvmFeatures, kMostLibsvmLabels));
  }
  if (shape_->features == 0) lines_->fail("the header declares 0 features, expected rows, features and labels");
}

bool LibsvmLines::next_line() {
  while (lines_->next()) {
    const std::string_view line = lines_->line();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] != '#') return true;
  }
  return false;
}

bool LibsvmLines::next() {
  while (pending_ || next_line()) {
    pending_ = false;
    const std::string_view line = lines_->line();
    const bool complete = shape_ && rows_ == shape_->rows;
    if (is_blank_line(line) && (!shape_ || complete)) continue;
    if (complete) {
      lines_->fail(fmt::format("the file goes on after {} rows, expected the end: the header declares no more", rows_));
    }
    ++rows_;
    labels_ = libsvm_labels_of(line);
    features_ = line.substr(labels_.size());
    return true;
  }
  if (shape_ && rows_ < shape_->rows) {
    lines_->fail(fmt::format("the file ends after {} rows, expected {} as the header declares; is it complete?", rows_,
                             shape_->rows));
  }
  if (rows_ == 0) lines_->fail("the file has no rows, expected at least one");
  return false;
}

}  // namespace mlpac
