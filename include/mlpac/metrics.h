// The one metrics module: precision, recall, F1 and average precision over all entries of a label matrix, and the
// score that needs no complete labels. Scores are log-odds or probabilities; decisions are made elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mlpac {

/// A rows x classes block of numbers, row by row.
template <typename T>
struct MatrixView {
  std::span<const T> values;
  std::int64_t rows = 0;
  std::int64_t classes = 0;
  T operator()(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * classes + column)];
  }
};

/// Counts of decisions against labels; entries whose label is masked out are not counted.
struct Counts {
  std::int64_t true_positive = 0;
  std::int64_t false_positive = 0;
  std::int64_t false_negative = 0;
  std::int64_t true_negative = 0;

  void add(const Counts& other);
  std::int64_t predicted() const { return true_positive + false_positive; }
  std::int64_t entries() const { return true_positive + false_positive + false_negative + true_negative; }
  /// In percent; 0 where the denominator is 0.
  double precision() const;
  double recall() const;
  double f1() const;
};

/// The numbers of a report, in percent.
struct Metrics {
  double precision = 0;  ///< micro: pooled over all entries
  double recall = 0;
  double f1 = 0;
  double macro_f1 = 0;  ///< mean over classes of the class F1 (OF1 is `f1`, CF1 is this)
  double macro_precision = 0;
  double macro_recall = 0;
  double map = 0;                ///< mean over classes of the average precision; a class without positives counts 0
  std::vector<double> class_ap;  ///< in percent, too; a score that is NaN ranks last
  std::vector<Counts> class_counts;
};

/// Which label states count as negatives. Positives are always those annotated (+1).
enum class Zeros {
  negative,  ///< unknown (0) counts as negative: completely labelled data
  masked,    ///< unknown (0) is not evaluated: only known negatives (-1) count as negative
};

/// `decisions` holds 1 for TRUE; `targets` the label states +1, 0, -1.
Counts count(MatrixView<std::uint8_t> decisions, MatrixView<std::int8_t> targets, Zeros zeros = Zeros::negative);

Metrics evaluate(MatrixView<float> scores, MatrixView<std::uint8_t> decisions, MatrixView<std::int8_t> targets,
                 Zeros zeros = Zeros::negative);

/// Non-interpolated average precision of one class in [0, 1]; tied scores are one threshold, so the result does not
/// depend on their order. `targets` as above; masked entries are left out. 0 without positives.
double average_precision(std::span<const double> scores, std::span<const std::int8_t> targets,
                         Zeros zeros = Zeros::negative);

/// Lee and Liu (ICML 2003): recall(annotated)^2 / P(TRUE), recall and rate as fractions over all entries. Needs no
/// negatives and no prior; up to a constant it is precision x recall of the true labels. 0 if nothing is TRUE.
double lee_liu(const Counts& against_annotations);

/// F1 of the true labels in percent, from the recall r of the annotations, the share q of entries that is TRUE and the
/// share of entries that is truly positive: precision is r prior / q, hence F1 = 2 r prior / (q + prior). Where r is
/// hardly larger than q, annotations are found no more often than by chance; "always TRUE" is the extreme. Nothing is
/// known of precision then, and the score falls to 0 within two standard errors of r = q.
double estimated_f1(double recall, double rate, double prior, double positives);
double estimated_f1(const Counts& against_annotations, double prior);

}  // namespace mlpac
