// Labels that are probably missing: unknown entries ranked by the probability of being positive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "mlpac/prior.h"

namespace mlpac {

/// A line in log-odds.
struct ScoreLine {
  double slope = 1;
  double offset = 0;
};

/// Probabilities of being positive from log-odds, seen from annotated positives alone. Annotations are taken to be a
/// random part of the positives (SCAR): of the entries with log-odds z a share P(annotated | z) = e s(a z + b) is
/// annotated, with the share e of the positives that is annotated, and s the logistic function. An unknown entry is
/// then positive with probability (1 - e) s / (1 - e s).
class Calibration {
 public:
  /// From log-odds of entries by models that were not trained on them; one curve per class. All classes share e; a and
  /// b of a class are drawn to those of all classes, the more the fewer annotations it has. `annotated`: e, if it is
  /// known; 0: estimated.
  explicit Calibration(std::span<const ScoreCurve> classes, double annotated = 0);

  /// Of an unknown entry.
  double probability(std::size_t label, double log_odds) const;
  /// Of an entry of which nothing is known.
  double positive(std::size_t label, double log_odds) const;
  /// Share of the positives that is annotated.
  double annotated() const { return annotated_; }

 private:
  double annotated_ = 1;
  std::vector<ScoreLine> lines_;  ///< per class
};

/// Log-odds of models that were trained apart, on one scale: models may be sure to different degrees (one stopped
/// earlier, one has a larger weight), and the surest entries of all of them together would be those of one. A line
/// per model maps its log-odds z to those of the calibrated probability of being positive.
class Alignment {
 public:
  /// Of `models` models, all of them left as they are.
  explicit Alignment(std::size_t models) : lines_(models) {}
  /// One curve per model, over all classes, and e as above. One model alone is left as it is.
  explicit Alignment(std::span<const ScoreCurve> models, double annotated = 0);

  double aligned(std::size_t model, double log_odds) const {
    const auto& line = lines_[model];
    return line.slope * log_odds + line.offset;
  }

 private:
  std::vector<ScoreLine> lines_;
};

/// Mean probability that a model gives the annotated entries of each class (1 for a class without any): an unknown
/// entry above it is confidently positive. C. Northcutt, L. Jiang, I. Chuang, "Confident Learning", JAIR 2021.
std::vector<double> confident_thresholds(std::span<const ScoreCurve> classes);

struct Suggestion {
  std::int64_t row = 0;
  std::int32_t label = 0;
  float probability = 0;  ///< calibrated
  float policy = 0;       ///< as the networks say
  float critic = 0;       ///< NaN: there is none
};

/// How many suggestions are wanted; 0: as many as there are.
struct SuggestionBudget {
  std::int64_t total = 0;
  std::int64_t per_label = 0;
  std::int64_t per_row = 0;
  double min_probability = 0;
};

/// Keeps the best suggestions of a budget while rows pass by; holds little more than it returns.
class SuggestionRanker {
 public:
  SuggestionRanker(const SuggestionBudget& budget, std::int32_t labels);

  /// All suggestions of one row; they are reordered.
  void add_row(std::span<Suggestion> suggestions);
  /// The surest first; nothing is kept.
  std::vector<Suggestion> take();

 private:
  using Heap = std::vector<Suggestion>;
  static void offer(Heap& heap, std::int64_t limit, const Suggestion& suggestion);

  SuggestionBudget budget_;
  std::vector<Heap> heaps_;  ///< one per label, if labels have a budget; otherwise one
};

/// Order of the ranking: a total one, so that equal probabilities do not make results differ.
bool ranks_before(const Suggestion& a, const Suggestion& b);

/// How many of the first suggestions have a mean probability, that is an estimated precision, of at least `precision`.
std::size_t count_with_precision(std::span<const Suggestion> ranked, double precision);
/// Estimated precision of the first `count`.
double estimated_precision(std::span<const Suggestion> ranked, std::size_t count);

}  // namespace mlpac
