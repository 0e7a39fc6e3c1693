// Choosing an epoch (and a weight w) by a score of the partially annotated validation slice. The rule is named in every
// result; the two rules that look at complete labels are called what they are.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "mlpac/choice.h"
#include "mlpac/metrics.h"

namespace mlpac {

enum class SelectionRule { lee_liu, partial_f1, full_dev, oracle, last };

std::span<const NamedChoice> selection_rules();
SelectionRule parse_selection(std::string_view name);
std::string_view selection_name(SelectionRule rule);

/// Decisions of one candidate counted against what is known.
struct SelectionEvidence {
  Counts annotated;             ///< validation slice, annotations only
  std::optional<Counts> truth;  ///< validation slice, complete labels (full-dev)
  std::optional<Counts> test;   ///< test set (oracle)
};

/// Score of a candidate after `epoch`; Error if the rule needs labels that are not there.
double selection_score(SelectionRule rule, const SelectionEvidence& evidence, std::int64_t epoch);

/// Remembers scores, smooths them and knows the best so far.
class Selector {
 public:
  explicit Selector(std::int64_t window) : window_(window) {}

  struct Best {
    std::int64_t epoch = -1;  ///< -1: nothing observed yet
    std::int64_t candidate = 0;
    double score = 0;
  };

  /// Adds a score of a candidate and returns the mean of its last `window` scores.
  double observe(std::int64_t candidate, double score);
  /// Takes note of a smoothed score; true if it is the best so far (a tie goes to the later one).
  bool offer(std::int64_t epoch, std::int64_t candidate, double smoothed);
  const Best& best() const { return best_; }
  /// Forgets everything (a new phase of training).
  void reset();

  nlohmann::json save() const;
  void load(const nlohmann::json& state);

 private:
  std::int64_t window_;
  std::map<std::int64_t, std::vector<double>> recent_;
  Best best_;
};

}  // namespace mlpac
