// The thresholds of a trained model: given, or chosen by the score that chose the model.
#pragma once

#include <optional>
#include <vector>

#include "mlpac/options.h"
#include "tasks/model.h"
#include "train/trainer.h"

namespace mlpac {

/// Probabilities above which labels are TRUE.
struct Thresholds {
  double common = 0.5;
  std::vector<double> thresholds;  ///< one per class
  std::int64_t own = 0;            ///< classes whose threshold is not the common one
};

/// What --threshold says: a number, auto or per-class. UsageError for anything else.
class ThresholdRule {
 public:
  explicit ThresholdRule(const Options& options);
  bool per_class() const { return per_class_; }
  bool given() const { return given_.has_value(); }
  Thresholds choose(const Outcome& outcome, const Problem& problem, const Model::Content& content) const;

 private:
  std::optional<double> given_;
  bool per_class_ = false;
};

}  // namespace mlpac
