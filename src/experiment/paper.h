// The numbers that the paper prints, as data (experiments/paper.json), for the cells of a plan.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/plan.h"

namespace mlpac {

/// A plan's `paper` names the tables, the first of which that has a value is right; the paper's names of the methods
/// and of the variants; axes that are fields of the paper's records (`keys`); the cells it speaks of (`where`); which
/// records of a table are meant where it has several (`records`); and values that cannot be true (`doubtful`).
class Paper {
 public:
  explicit Paper(const Plan& plan);

  /// The value that is printed for a cell; nothing if there is none, or none that can be true.
  std::optional<double> value(const Json& values, const std::string& metric) const;

 private:
  Json about_;
  std::map<std::string, double> values_;
};

}  // namespace mlpac
