// The list that `mlpac suggest` wrote, by number: where each suggestion stands in the file, its row and its label.
// Everything else is read when it is shown, so that a million of them take a few megabytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record_file.h"

namespace mlpac {

/// One suggestion as the file has it.
struct SuggestionLine {
  std::int64_t row = -1;
  std::string id;
  std::string label;
  double probability = 0;
  double policy = 0;
  std::optional<double> critic;
};

class SuggestionIndex {
 public:
  /// CSV or JSON lines, told apart by the first character; Error names the file and the line.
  explicit SuggestionIndex(const std::filesystem::path& path);

  std::size_t size() const { return entries_.size(); }
  std::int64_t row(std::size_t i) const { return entries_[i].row; }
  /// Number of the label among label_names().
  std::int32_t label(std::size_t i) const { return entries_[i].label; }
  const std::vector<std::string>& label_names() const { return labels_; }
  /// Reads it from the file; any thread may ask.
  SuggestionLine at(std::size_t i) const;
  /// The suggestion for an entry, if there is one.
  std::optional<std::size_t> find(std::int64_t row, std::string_view label) const;
  /// All suggestions for a row, by their numbers.
  std::vector<std::size_t> of_row(std::int64_t row) const;

 private:
  struct Entry {
    std::uint64_t begin = 0;
    std::int64_t row = 0;
    std::int32_t label = 0;
    std::uint32_t size = 0;
  };
  struct Columns {
    std::size_t row = 0;
    std::size_t id = 0;
    std::size_t label = 0;
    std::size_t probability = 0;
    std::size_t policy = 0;
    std::size_t critic = 0;
  };

  void read_csv(std::string_view text);
  void read_json_lines(std::string_view text);
  void sort_rows();

  std::unique_ptr<const RecordFile> file_;
  std::optional<Columns> csv_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> by_row_;  ///< numbers of suggestions, sorted by row and label
  std::vector<std::string> labels_;
};

}  // namespace mlpac
