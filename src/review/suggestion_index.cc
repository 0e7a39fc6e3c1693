#include "review/suggestion_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/record_file.h"
#include "data/csv_scanner.h"
#include "data/table_value.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "review/suggestion_line.h"

namespace mlpac {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

/// Numbers of names, in the order they are first asked for.
class Numbering {
 public:
  explicit Numbering(std::vector<std::string>& names) : names_(names) {}
  std::int32_t operator()(const std::string& name) {
    const auto [found, added] = numbers_.emplace(name, static_cast<std::int32_t>(names_.size()));
    if (added) names_.push_back(name);
    return found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

}  // namespace

SuggestionIndex::SuggestionIndex(const std::filesystem::path& path) : file_(std::make_unique<RecordFile>(path)) {
  const std::string text = read_file(path, kLongestLine);
  const std::string_view content = without_byte_order_mark(text);
  const auto first = content.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    throw Error(
        fmt::format("{}: there are no suggestions in it, expected what mlpac suggest --out writes", path.string()));
  }
  content[first] == '{' ? read_json_lines(text) : read_csv(text);
  entries_.shrink_to_fit();
  sort_rows();
}

void SuggestionIndex::read_json_lines(std::string_view text) {
  Numbering numbering(labels_);
  SuggestionLine line;
  std::int64_t number = 0;
  for (std::size_t at = text.size() - without_byte_order_mark(text).size(); at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view piece = trim(text.substr(at, end - at));
    ++number;
    if (!piece.empty()) {
      if (!parse_json_suggestion(piece, line)) {
        throw Error(
            fmt::format("{}:{}: {} is no suggestion, expected a JSON object with row, id, label and probability",
                        file_->path().string(), number, in_quotes(piece)));
      }
      entries_.push_back({at, line.row, numbering(line.label), static_cast<std::uint32_t>(end - at)});
    }
    at = end + 1;
  }
}

void SuggestionIndex::read_csv(std::string_view text) {
  CsvScanner scanner(text, file_->path().string(), ',');
  CellText cell;
  if (!scanner.next()) scanner.fail("expected the header that mlpac suggest writes");
  const auto column = [&](std::string_view name, bool needed) {
    const auto& fields = scanner.fields();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (cell(fields[i]) == name) return i;
    }
    if (needed) scanner.fail(fmt::format("there is no column {}, expected a list of mlpac suggest", name));
    return kNone;
  };
  csv_ = Columns{column("row", true),         column("id", true),      column("label", true),
                 column("probability", true), column("policy", false), column("critic", false)};
  scanner.begin_rows(false);
  Numbering numbering(labels_);
  while (scanner.next()) {
    const auto& fields = scanner.fields();
    std::int64_t row = -1;
    if (!parse_value(cell(fields[csv_->row]), row) || row < 0) scanner.fail("row is no number, expected one from 0 on");
    double probability = 0;
    if (!parse_value(cell(fields[csv_->probability]), probability)) scanner.fail("probability is no number");
    const char* const begin = fields.front().raw.data();
    const char* const end = fields.back().raw.data() + fields.back().raw.size();
    entries_.push_back({static_cast<std::uint64_t>(begin - text.data()), row,
                        numbering(std::string(cell(fields[csv_->label]))), static_cast<std::uint32_t>(end - begin)});
  }
  if (entries_.empty()) scanner.fail("there are no suggestions behind the header");
}

void SuggestionIndex::sort_rows() {
  by_row_.resize(entries_.size());
  std::iota(by_row_.begin(), by_row_.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::pair(entries_[i].row, entries_[i].label); };
  std::sort(by_row_.begin(), by_row_.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(by_row_.begin(), by_row_.end(),
                                        [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); });
  if (twice != by_row_.end()) {
    throw Error(
        fmt::format("{}: the label {} of row {} is suggested twice, expected each entry once", file_->path().string(),
                    in_quotes(labels_[static_cast<std::size_t>(entries_[*twice].label)]), entries_[*twice].row));
  }
}

SuggestionLine SuggestionIndex::at(std::size_t i) const {
  const Entry& entry = entries_.at(i);
  const std::string text = file_->read(entry.begin, entry.begin + entry.size);
  SuggestionLine line;
  bool good = false;
  if (csv_) {
    CsvScanner scanner(text, file_->path().string(), ',');
    const auto most = std::max({csv_->row, csv_->id, csv_->label, csv_->probability});
    if (scanner.next() && most < scanner.fields().size()) {
      CellText cell;
      const auto field = [&](std::size_t column) {
        return column < scanner.fields().size() ? cell(scanner.fields()[column]) : std::string_view();
      };
      good = parse_value(field(csv_->row), line.row) && parse_value(field(csv_->probability), line.probability);
      line.id = field(csv_->id);
      line.label = field(csv_->label);
      parse_value(field(csv_->policy), line.policy);
      double critic = 0;
      if (parse_value(field(csv_->critic), critic)) line.critic = critic;
    }
  } else {
    good = parse_json_suggestion(trim(text), line);
  }
  if (!good || line.row != entry.row || line.label != labels_[static_cast<std::size_t>(entry.label)]) {
    throw Error(fmt::format("{}: the file was changed while it is reviewed; start again", file_->path().string()));
  }
  return line;
}

std::optional<std::size_t> SuggestionIndex::find(std::int64_t row, std::string_view label) const {
  for (const std::size_t i : of_row(row)) {
    if (labels_[static_cast<std::size_t>(entries_[i].label)] == label) return i;
  }
  return std::nullopt;
}

std::vector<std::size_t> SuggestionIndex::of_row(std::int64_t row) const {
  const auto first = std::lower_bound(by_row_.begin(), by_row_.end(), row,
                                      [&](std::uint32_t i, std::int64_t value) { return entries_[i].row < value; });
  std::vector<std::size_t> result;
  for (auto i = first; i != by_row_.end() && entries_[*i].row == row; ++i) result.push_back(*i);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace mlpac
