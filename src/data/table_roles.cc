#include "data/table_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/label_names.h"
#include "data/table_header.h"
#include "data/table_schema.h"
#include "data/text.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

enum class Role : std::uint8_t { feature, text, label, list, id, ignored };

std::string_view option_of(Role role) {
  switch (role) {
    case Role::text:
      return "--text-columns";
    case Role::label:
      return "--label-columns";
    case Role::list:
      return "--label-list";
    case Role::id:
      return "--id";
    case Role::ignored:
      return "--ignore";
    case Role::feature:
      break;
  }
  return "the features";
}

std::string_view use_of(Role role) {
  switch (role) {
    case Role::text:
      return "text";
    case Role::label:
      return "a label";
    case Role::list:
      return "the list of labels";
    case Role::id:
      return "the id of the rows";
    case Role::ignored:
      return "ignored";
    case Role::feature:
      break;
  }
  return "a feature";
}

class RoleFinder {
 public:
  RoleFinder(const TableHeader& header, const ReadOptions& options, const TableSchema* stored)
      : header_(header),
        options_(options),
        stored_(stored),
        roles_(header.names().size(), Role::feature),
        by_name_(header.names().size(), false) {}

  TableRoles find() {
    if (!options_.label_list.empty() && !options_.label_columns.empty()) {
      header_.fail("--label-list and --label-columns are both given, expected one of them");
    }
    find_id();
    // A column that is named counts more than one that fits a pattern; among patterns the earlier of these calls wins,
    // so that `--label-columns 'y*' --ignore 'y_old*'` means what it says. What a model needs cannot be changed.
    if (stored_ == nullptr) {
      for (const std::string& pattern : options_.ignored_columns) claim_all(pattern, Role::ignored);
    }
    find_labels();
    if (stored_ == nullptr) {
      for (const std::string& pattern : options_.text_columns) claim_all(pattern, Role::text);
    }
    find_features();
    return std::move(result_);
  }

 private:
  void find_id() {
    if (!options_.id_column.empty()) {
      result_.id = claim_one(options_.id_column, Role::id, true);
    } else if (stored_ != nullptr && !stored_->id_column.empty()) {
      result_.id = claim_one(stored_->id_column, Role::id, false);
    }
  }

  void find_labels() {
    result_.label_names = wanted_labels(options_);
    std::string list = options_.label_list;
    result_.separators = options_.label_separators;
    if (stored_ != nullptr) {
      if (list.empty() && options_.label_columns.empty()) list = stored_->label_list;
      const bool own_separators = options_.label_separators != ReadOptions().label_separators;
      const bool own_list = !options_.label_list.empty() && options_.label_list != stored_->label_list;
      if (!own_list && !own_separators) result_.separators = stored_->label_separators;
      if (result_.label_names.empty()) result_.label_names = stored_->label_columns;
    }
    if (!list.empty()) {
      result_.list = claim_one(list, Role::list, options_.labels_required);
      if (!result_.list) result_.label_names.clear();
    } else if (!result_.label_names.empty()) {
      find_named_labels();
    } else if (!options_.label_columns.empty()) {
      find_matching_labels();
    } else if (options_.labels_required) {
      header_.fail(
          fmt::format("nothing says what the labels are, expected --labels FILE (their names), --label-columns "
                      "(columns of 0 and 1) "
                      "or --label-list (a column that lists names); the columns are {}",
                      header_.some_names()));
    }
  }

  /// The names of the labels are known: each is a column.
  void find_named_labels() {
    const std::vector<std::string>& names = result_.label_names;
    const auto is_column = [&](const std::string& name) { return header_.find(name).has_value(); };
    if (!options_.labels_required && std::none_of(names.begin(), names.end(), is_column)) {
      result_.label_names.clear();
      return;
    }
    std::unordered_set<std::size_t> seen;
    for (const std::string& name : names) {
      const std::optional<std::size_t> column = header_.find(name);
      if (!column) header_.fail_unknown(fmt::format("one of the {} labels is", names.size()), name);
      if (!seen.insert(*column).second) {
        header_.fail(fmt::format("label {} is named twice, expected different labels", in_quotes(name)));
      }
      claim(*column, Role::label, true);
      result_.labels.push_back(*column);
    }
    if (stored_ != nullptr) return;
    for (const std::string& pattern : options_.label_columns) {
      for (const std::size_t column : claim_all(pattern, Role::label)) {
        if (roles_[column] == Role::label && !seen.contains(column)) {
          header_.fail(
              fmt::format("column {} is one of --label-columns but not of the {} labels that are listed, expected the "
                          "same labels; leave one of the two away",
                          in_quotes(header_.names()[column]), names.size()));
        }
      }
    }
  }

  /// The labels are the columns that fit the patterns.
  void find_matching_labels() {
    const auto fits_none = [&](const std::string& pattern) { return header_.matches(pattern).empty(); };
    const std::vector<std::string>& patterns = options_.label_columns;
    if (!options_.labels_required && std::all_of(patterns.begin(), patterns.end(), fits_none)) return;
    for (const std::string& pattern : patterns) claim_all(pattern, Role::label);
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] != Role::label) continue;
      result_.labels.push_back(i);
      result_.label_names.push_back(header_.names()[i]);
    }
    if (result_.labels.empty() && options_.labels_required) {
      header_.fail("every column of --label-columns is used for something else, expected at least one label");
    }
  }

  void find_features() {
    if (stored_ != nullptr) {
      for (const TableColumn& column : stored_->columns) {
        const std::optional<std::size_t> found = header_.find(column.name);
        if (!found) header_.fail_unknown("the model was trained with the column", column.name);
        result_.features.push_back(*found);
      }
      return;
    }
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] == Role::ignored) result_.ignored.push_back(header_.names()[i]);
      if (roles_[i] == Role::text) result_.texts.push_back(i);
      if (roles_[i] == Role::text || roles_[i] == Role::feature) result_.features.push_back(i);
    }
    if (result_.features.empty()) {
      header_.fail("no column is a feature, expected at least one that is neither a label nor ignored");
    }
  }

  /// The one column a name or pattern stands for.
  std::optional<std::size_t> claim_one(const std::string& pattern, Role role, bool required) {
    const std::vector<std::size_t> columns = header_.matches(pattern);
    if (columns.size() > 1) {
      header_.fail(fmt::format("{} names {}, which fits {} columns, expected one", option_of(role), in_quotes(pattern),
                               columns.size()));
    }
    if (columns.empty()) {
      if (required) header_.fail_unknown(fmt::format("{} names", option_of(role)), pattern);
      return std::nullopt;
    }
    claim(columns.front(), role, true);
    return columns.front();
  }

  std::vector<std::size_t> claim_all(const std::string& pattern, Role role) {
    std::vector<std::size_t> columns = header_.matches(pattern);
    if (columns.empty()) header_.fail_unknown(fmt::format("{} names", option_of(role)), pattern);
    for (const std::size_t column : columns) claim(column, role, header_.names()[column] == pattern);
    return columns;
  }

  void claim(std::size_t column, Role role, bool by_name) {
    if (!by_name) {
      if (roles_[column] == Role::feature) roles_[column] = role;
      return;
    }
    if (by_name_[column] && roles_[column] != role) {
      header_.fail(fmt::format("column {} is named as {} and as {}, expected one use of it",
                               in_quotes(header_.names()[column]), use_of(roles_[column]), use_of(role)));
    }
    roles_[column] = role;
    by_name_[column] = true;
  }

  const TableHeader& header_;
  const ReadOptions& options_;
  const TableSchema* stored_;
  std::vector<Role> roles_;    ///< of each column
  std::vector<bool> by_name_;  ///< it has its role by name, not by a pattern
  TableRoles result_;
};

}  // namespace

TableRoles find_roles(const TableHeader& header, const ReadOptions& options, const TableSchema* stored) {
  return RoleFinder(header, options, stored).find();
}

}  // namespace mlpac
