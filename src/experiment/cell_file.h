// All state of an experiment: one file with a line of JSON per finished cell, which only grows.
//
// A line is written at once, under a lock, and reaches the disk before anything else happens: several processes may
// write to one file, and whoever is killed loses no more than the line it was writing. Such a torn line is ignored when
// the file is read and cut off by the next one who writes. The file alone continues an experiment on another machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "experiment/plan.h"

namespace mlpac {

/// The cells of one plan. A cell is known by its name and the options it was made with; the first one stays.
class CellFile {
 public:
  CellFile(std::filesystem::path path, const Plan& plan);

  const std::filesystem::path& path() const { return path_; }
  /// The record of a cell made with these options, also by another process; null if there is none.
  const Json* get(const std::string& name, const std::string& options);
  /// Whether there is a record of the cell made with any options.
  bool has_name(const std::string& name) const;
  std::vector<const Json*> records() const;

  /// Appends those that are not there; returns how many.
  std::size_t add(const std::vector<Json>& records);
  /// Adds the cells of another file, and says where the same program has measured something else.
  void merge(const std::filesystem::path& file);

 private:
  using Identity = std::pair<std::string, std::string>;
  using Records = std::map<Identity, Json>;
  using Stamp = std::tuple<std::uintmax_t, std::int64_t, std::int64_t>;

  Identity identity(const Json& record) const;
  Json checked(std::string_view line) const;
  /// The records, and how many bytes are whole lines (a last one may lack its end).
  std::pair<Records, std::size_t> parse(const std::string& data, const std::filesystem::path& file);
  std::pair<std::size_t, bool> load(int descriptor);
  void refresh();
  void append(int descriptor, std::size_t end, const std::string& text) const;

  std::filesystem::path path_;
  const Plan& plan_;
  Records records_;
  std::optional<Stamp> seen_;             ///< what the file looked like when it was read
  std::set<std::filesystem::path> torn_;  ///< files with a torn line: said once
};

}  // namespace mlpac
