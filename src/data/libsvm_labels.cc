#include "data/libsvm_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/label_names.h"
#include "data/libsvm_lines.h"
#include "data/line_reader.h"
#include "data/number.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// The number a text stands for, whole or not: some programs write 1 as 1.0 or 1e+00.
std::optional<double> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty() || std::string_view("0123456789.-").find(text[0]) == std::string_view::npos) return std::nullopt;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? value : std::numeric_limits<double>::infinity();
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t digits = 0;
  if (parse_index(text, digits)) return digits;
  constexpr double kExact = 1e15;
  const std::optional<double> number = number_in(text);
  if (!number || std::abs(*number) > kExact || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

/// Names 0, 1, 2 ... are positions at the same time, which need no look-up.
bool are_positions(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != std::to_string(i)) return false;
  }
  return true;
}

/// Numbers without leading zeros and the like: what the labels of rows are looked up as.
std::vector<std::string> as_written(const std::vector<std::string>& names, const std::string& source) {
  std::vector<std::string> keys;
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    keys.push_back(std::to_string(whole_number(name).value()));
    if (!seen.insert(keys.back()).second) {
      throw Error(fmt::format("{}: two names of labels, one of them {}, are the same number, expected different ones",
                              source, in_quotes(name)));
    }
  }
  return keys;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

bool libsvm_labels_are_names(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [](const std::string& name) { return whole_number(name).has_value(); });
}

LibsvmLabels::LibsvmLabels(const ReadOptions& options, const std::optional<LibsvmShape>& shape, const LineReader& lines)
    : lines_(&lines),
      required_(options.labels_required),
      names_(wanted_labels(options)),
      positions_(names_.empty() ? shape.has_value() : !libsvm_labels_are_names(names_) || are_positions(names_)),
      collector_(positions_ ? std::vector<std::string>() : as_written(names_, lines.source()), required_) {
  if (shape) shape_ = shape->labels;
  if (!positions_) return;
  classes_ = names_.empty() ? shape->labels : static_cast<std::int64_t>(names_.size());
  const bool unlabelled = shape && shape->labels == 0 && !required_;
  if (shape && shape->labels != classes_ && !unlabelled) {
    lines.fail(
        fmt::format("the header declares {} labels, expected {}, one per name of a label", shape->labels, classes_));
  }
  if (!are_positions(names_)) {
    for (std::size_t i = 0; i < names_.size(); ++i) columns_.emplace(names_[i], static_cast<std::int32_t>(i));
  }
  labels_ = Labels(static_cast<std::int32_t>(classes_));
}

void LibsvmLabels::add_row(std::string_view list) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view token = list.substr(0, comma);
    if (token.empty() || token == "!" || comma + 1 == list.size()) {
      lines_->fail(fmt::format("a label is missing in {}, expected label,label,... without blanks", in_quotes(list)));
    }
    add(token);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  end_row();
}

void LibsvmLabels::add(std::string_view token) {
  seen_ = true;
  const bool negative = token.front() == '!';
  const std::optional<std::int64_t> number = whole_number(token.substr(negative ? 1 : 0));
  if (number && shape_ && *number >= *shape_) {
    lines_->fail(fmt::format(
        "label {} is out of range, expected a smaller number: the header declares {} labels, counted from 0",
        in_quotes(token), *shape_));
  }
  if (positions_) {
    add_position(token, negative, number);
  } else {
    add_name(token, negative, number);
  }
}

void LibsvmLabels::add_position(std::string_view token, bool negative, const std::optional<std::int64_t>& number) {
  if (number && *number >= 0 && *number < classes_) {
    row_.push_back({static_cast<std::int32_t>(*number), negative ? kKnownNegative : kAnnotated});
    return;
  }
  key_ = to_utf8(token);
  auto found = columns_.find(key_);
  const bool literal = found != columns_.end();  // a name may begin with '!'
  if (!literal && negative) {
    key_.erase(0, 1);
    found = columns_.find(key_);
  }
  if (found != columns_.end()) {
    row_.push_back({found->second, negative && !literal ? kKnownNegative : kAnnotated});
  } else if (required_ || names_.empty()) {
    fail_unknown(token);
  }
}

void LibsvmLabels::add_name(std::string_view token, bool negative, const std::optional<std::int64_t>& number) {
  if (names_.empty()) {
    // A sign or a fraction is what files for two classes and for regression have; as a name it would be a silent error.
    if (number ? *number < 0 : number_in(token.substr(negative ? 1 : 0)).has_value()) {
      lines_->fail(
          fmt::format("label {} is a number but not 0, 1, 2 ..., expected a class; write a class that is known to be "
                      "absent as !class",
                      in_quotes(token)));
    }
    if (has_control_character(token) || token.starts_with("!!")) {
      lines_->fail(
          fmt::format("{} is no label, expected a number or a name; is this a binary file?", in_quotes(token)));
    }
  }
  if (number) {
    key_.clear();
    if (negative) key_ += '!';
    key_ += std::to_string(*number);
  } else {
    key_ = to_utf8(token);
  }
  if (!collector_.add(key_)) fail_unknown(token);
}

void LibsvmLabels::fail_unknown(std::string_view token) const {
  if (names_.empty()) {
    lines_->fail(fmt::format("{} is no label, expected a number from 0 to {}", in_quotes(token), classes_ - 1));
  }
  if (positions_) {
    lines_->fail(
        fmt::format("label {} is not known, expected 0 to {} (the position of a name in the list of labels) or one of "
                    "the names",
                    in_quotes(token), classes_ - 1));
  }
  lines_->fail(
      fmt::format("label {} is not one of the {} known labels, expected one of them; is this data of the same "
                  "kind?",
                  in_quotes(token), names_.size()));
}

void LibsvmLabels::end_row() {
  std::string twice;
  if (positions_) {
    std::sort(row_.begin(), row_.end(), [](const LabelEntry& a, const LabelEntry& b) { return a.column < b.column; });
    const auto found = std::adjacent_find(row_.begin(), row_.end(), [](const LabelEntry& a, const LabelEntry& b) {
      return a.column == b.column && a.state != b.state;
    });
    if (found != row_.end()) {
      twice = names_.empty() ? std::to_string(found->column) : names_[static_cast<std::size_t>(found->column)];
    } else {
      labels_.append(row_);
      row_.clear();
    }
  } else {
    twice = collector_.end_row();
  }
  if (!twice.empty()) {
    lines_->fail(fmt::format("label {} is given as positive and as negative, expected one of them", in_quotes(twice)));
  }
}

void LibsvmLabels::finish(FeatureData& data) {
  const bool given = !names_.empty();
  if (positions_) {
    data.labels = std::move(labels_);
    for (std::int64_t i = 0; i < classes_ && !given; ++i) names_.push_back(std::to_string(i));
  } else {
    collector_.finish(data);
    if (!given) names_ = std::move(data.label_names);
  }
  data.label_names = std::move(names_);
  if (given && !seen_ && !required_) {  // unlabelled data
    const std::int64_t rows = data.labels.rows();
    data.labels = Labels(0);
    for (std::int64_t i = 0; i < rows; ++i) data.labels.append({});
    data.label_names.clear();
  }
  if (required_ && data.label_names.empty()) {
    lines_->fail("no row has a label, expected label,label,... at the beginning of the rows");
  }
}

}  // namespace mlpac
