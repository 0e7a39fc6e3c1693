// A plan: which cells an experiment consists of, as a JSON file says it (docs/experiments.md).
//
// A cell is one run: a value for every axis (recipe, method, ratio, seed, ...) and a variant. What a value means to the
// program is said by the plan: options of the command line (`axes`, `variants`), files of options (`layers`; a later
// one overrides an earlier one) or a part of a path (`data`). Tasks differ by nothing else.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/flat_toml.h"

namespace mlpac {

using Json = nlohmann::ordered_json;

inline constexpr std::string_view kNoVariant = "none";

struct PlanCell {  // NOLINT(bugprone-exception-escape): a move of JSON that is said to throw
  Json values;     ///< of the axes and the variant
  std::string name;
  std::string options;  ///< a digest of everything that defines the result
  std::vector<std::filesystem::path> layers;
  std::vector<std::string> arguments;  ///< of the command line
  std::vector<std::string> groups;
};

enum class Scale { smoke, here, paper };
std::string_view scale_name(Scale scale);

class Plan {
 public:
  /// `plans` is the folder of all plans, if this one does not lie there; `extra` are options of every cell. Error that
  /// names the file if it cannot be a plan.
  Plan(std::filesystem::path path, Scale scale, std::filesystem::path plans = {}, std::vector<std::string> extra = {});

  const std::filesystem::path& path() const { return path_; }
  /// The folder of all plans, with paper.json and smoke.toml.
  const std::filesystem::path& home() const { return home_; }
  const std::string& name() const { return name_; }
  /// What its cells are called in the file of cells: a plan that extends another one shares that one's.
  const std::string& kind() const { return kind_; }
  const std::string& title() const { return title_; }
  const std::string& text() const { return text_; }
  const Json& axes() const { return axes_; }
  const Json& bounds() const { return bounds_; }
  const Json& paper() const { return paper_; }
  const Json& report() const { return report_; }
  const std::vector<PlanCell>& cells() const { return cells_; }
  Scale scale() const { return scale_; }
  bool needs_data() const { return !data_.empty(); }

  /// "plain/mlpac/0.1/w-10/seed-0": values that are none are left out.
  std::string cell_name(const Json& values) const;

  /// The options of the cell's layers; a later file overrides an earlier one.
  FlatToml merged(const std::vector<std::filesystem::path>& layers) const;
  /// --config FILE for the cell's layers. Several become one file in `folder`, because a default that is off cannot be
  /// restored on the command line.
  std::vector<std::string> config(const PlanCell& cell, const std::filesystem::path& folder) const;
  /// The first kind of data that is there, and the options that name its files.
  std::pair<std::string, std::vector<std::string>> files_of(const PlanCell& cell, const std::string& folder) const;
  std::vector<std::string> device_options(const std::string& device) const;
  /// Whether a cell's epochs are kept for curves.
  bool keeps_epochs(const PlanCell& cell) const;

  [[noreturn]] void fail(const std::string& text) const;

 private:
  static Json read(const std::filesystem::path& path);
  Json extended(const Json& own);
  void check_axes() const;
  static void shrink(Json& group);
  bool made_at_scale(const Json& group) const;
  void add_group(const Json& given);
  PlanCell make_cell(Json values) const;

  std::filesystem::path path_;
  std::filesystem::path folder_;  ///< of the layers
  std::filesystem::path home_;
  Scale scale_;
  std::vector<std::string> extra_;
  std::string name_, kind_, title_, text_;
  Json axes_, layers_, variants_, data_, devices_, bounds_, paper_, report_, scales_, curves_;
  std::vector<PlanCell> cells_;
  mutable std::map<std::filesystem::path, FlatToml> files_;
};

/// A value, or the values of a list.
std::vector<Json> listed(const Json& value);
/// Lines of a paragraph as one text.
std::string joined_text(const Json& lines);
/// Whether the values are those that `where` names; a list names several, what is not named may be anything.
bool covers(const Json& where, const Json& values);

}  // namespace mlpac
