// Choosing an epoch (and a weight w) by a score of partially annotated rows that were not trained on. The rule is named
// in every result; the two rules that look at complete labels are called what they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mlpac/choice.h"
#include "mlpac/metrics.h"
#include "mlpac/prior.h"

namespace mlpac {

enum class SelectionRule { estimated_f1, middle_f1, break_even, lee_liu, partial_f1, full_dev, oracle, last };

std::span<const NamedChoice> selection_rules();
SelectionRule parse_selection(std::string_view name);
std::string_view selection_name(SelectionRule rule);
/// Whether the rule's score is an estimate of F1, which needs a share of positives.
inline bool estimates_f1(SelectionRule rule) {
  return rule == SelectionRule::estimated_f1 || rule == SelectionRule::middle_f1 || rule == SelectionRule::break_even;
}

/// Decisions of one candidate counted against what is known.
struct SelectionEvidence {
  Counts annotated;             ///< rows set aside, annotations only
  std::optional<Counts> truth;  ///< rows set aside, complete labels (full-dev)
  std::optional<Counts> test;   ///< test set (oracle)
  ScoreCurve curve{};           ///< log-odds of the rows set aside (break-even)
};

/// Score of a candidate after `epoch`; `prior` is a bound of the share of entries that is positive (estimated-f1,
/// middle-f1, break-even). Error if the rule needs labels that are not there.
double selection_score(SelectionRule rule, const SelectionEvidence& evidence, std::int64_t epoch, double prior);

/// Remembers evidence, smooths scores and knows the best so far. Scores are computed again whenever they are compared,
/// because the bound of the prior falls as more models are seen.
class Selector {
 public:
  Selector(SelectionRule rule, std::int64_t window) : rule_(rule), window_(window) {}

  struct Best {
    std::int64_t epochs = 0;      ///< of training; 0: as the phase began
    std::int64_t candidate = -1;  ///< -1: nothing observed yet
  };

  /// Lowers the prior to a bound that was seen.
  void bound_prior(double bound) { prior_ = std::min(prior_, bound); }
  double prior() const { return prior_; }

  void observe(std::int64_t candidate, std::int64_t epoch, const SelectionEvidence& evidence);
  /// Takes note that a candidate was given up: it is no neighbour any more.
  void forget(std::int64_t candidate) { recent_.erase(candidate); }
  /// Mean of the scores of a candidate's last `window` epochs and, with less weight, of its neighbours' (the candidates
  /// before and after it differ little, so that their scores tell something about it).
  double score(std::int64_t candidate) const;
  /// True if a candidate, as observed last, is the best so far (a tie goes to the later one).
  bool offer(std::int64_t epochs, std::int64_t candidate);
  /// The model a phase begins with: the best until another one is better.
  void begin_with(const SelectionEvidence& evidence);
  const Best& best() const { return best_; }
  double best_score() const { return mean(best_evidence_); }
  /// Forgets everything but the prior (a new phase of training).
  void reset();

  nlohmann::json save() const;
  void load(const nlohmann::json& state);

 private:
  struct Weighted {
    double weight;
    std::int64_t epoch;
    SelectionEvidence evidence;
  };
  std::vector<Weighted> evidence_of(std::int64_t candidate) const;
  double mean(const std::vector<Weighted>& evidence) const;

  SelectionRule rule_;
  std::int64_t window_;
  double prior_ = 1;
  std::map<std::int64_t, std::vector<Weighted>> recent_;
  Best best_;
  std::vector<Weighted> best_evidence_;
};

}  // namespace mlpac
