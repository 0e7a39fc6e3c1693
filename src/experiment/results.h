// The cells of a plan with what was measured: one entry for all seeds of a cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/cell_file.h"
#include "experiment/plan.h"
#include "experiment/statistics.h"

namespace mlpac {

/// All seeds of a cell.
struct Entry {
  Json values;                       ///< of the axes but the seed, and the variant
  std::vector<Json> planned;         ///< seeds
  std::vector<const Json*> records;  ///< of the seeds that are measured, in their order

  std::vector<Json> missing() const;
  bool complete() const { return missing().empty(); }
  /// A metric of the test labels, or "critic.f1", "uncut.f1"; nothing without values.
  std::optional<Spread> summary(const std::string& metric = "f1") const;
  std::optional<double> mean(const std::string& metric = "f1") const;
  std::optional<Spread> seconds() const;
  /// This one minus another, over the seeds that both have.
  std::optional<Interval> difference(const Entry& other, const std::string& metric = "f1") const {
    return difference(other, metric, metric);
  }
  std::optional<Interval> difference(const Entry& other, const std::string& metric,
                                     const std::string& others_metric) const;
  Json to_json() const;
};

class Results {
 public:
  Results(const Plan& plan, CellFile& store);

  const Plan& plan() const { return plan_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<const Json*> records() const;
  /// The entry with these values of all axes; null if it is not planned.
  const Entry* find(const Json& values) const;
  /// The planned entries that `where` names; those without a variant if it names none. Numbers ascend, everything else
  /// is in the order of `where` and of the plan.
  std::vector<const Entry*> select(const Json& where) const;
  /// Entries without a variant first: whoever looks for a cell finds the cell itself first.
  Json to_json() const;

 private:
  const Plan& plan_;
  std::vector<std::string> axes_;
  std::vector<Entry> entries_;
};

/// "a (2), b (1)": the different values with their numbers; without a number if there is only one.
std::string counted(std::vector<std::string> values);

}  // namespace mlpac
