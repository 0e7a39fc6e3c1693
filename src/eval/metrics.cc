#include "mlpac/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

double ratio(double numerator, double denominator) { return denominator > 0 ? numerator / denominator : 0; }
double percent(std::int64_t part, std::int64_t whole) {
  return 100 * ratio(static_cast<double>(part), static_cast<double>(whole));
}

template <typename T>
void check_shape(const MatrixView<T>& matrix, std::int64_t rows, std::int64_t classes, std::string_view what) {
  if (matrix.rows != rows || matrix.classes != classes || rows < 0 || classes < 0 ||
      static_cast<std::int64_t>(matrix.values.size()) != rows * classes) {
    throw Error(fmt::format("metrics: {} are {} x {} with {} values, expected {} x {}", what, matrix.rows,
                            matrix.classes, matrix.values.size(), rows, classes));
  }
}

bool is_masked(std::int8_t target, Zeros zeros) { return target == kUnknown && zeros == Zeros::masked; }

void add(Counts& counts, bool decision, std::int8_t target, Zeros zeros) {
  if (is_masked(target, zeros)) return;
  const bool positive = target == kAnnotated;
  counts.true_positive += static_cast<std::int64_t>(decision && positive);
  counts.false_positive += static_cast<std::int64_t>(decision && !positive);
  counts.false_negative += static_cast<std::int64_t>(!decision && positive);
  counts.true_negative += static_cast<std::int64_t>(!decision && !positive);
}

/// Sum of the steps of a precision-recall curve whose thresholds are passed in order.
class PrecisionSum {
 public:
  /// Entries that share one score, so that no threshold separates them.
  void add(std::int64_t entries, std::int64_t positives) {
    entries_ += entries;
    positives_ += positives;
    sum_ += static_cast<double>(positives) * static_cast<double>(positives_) / static_cast<double>(entries_);
  }
  double average() const { return ratio(sum_, static_cast<double>(positives_)); }

 private:
  std::int64_t entries_ = 0;
  std::int64_t positives_ = 0;
  double sum_ = 0;
};

/// A score as a number whose order is the reverse: the highest score becomes the smallest. NaN ranks last.
std::uint32_t descending_key(float score) {
  if (std::isnan(score)) return std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint32_t kSign = 0x80000000U;
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);  // -0 becomes +0
  return (bits & kSign) != 0 ? bits : ~(bits | kSign);
}

/// Average precision of many columns. Sorting is by radix: an order of magnitude faster than comparing.
class ColumnRanking {
 public:
  void clear() { items_.clear(); }
  void add(float score, bool positive) {
    items_.push_back((std::uint64_t{descending_key(score)} << 1U) | static_cast<std::uint64_t>(positive));
  }
  double average_precision() {
    sort();
    PrecisionSum sum;
    for (std::size_t first = 0; first < items_.size();) {
      std::int64_t positives = 0;
      std::size_t last = first;
      while (last < items_.size() && items_[last] >> 1U == items_[first] >> 1U) {
        positives += static_cast<std::int64_t>(items_[last++] & 1U);
      }
      sum.add(static_cast<std::int64_t>(last - first), positives);
      first = last;
    }
    return sum.average();
  }

 private:
  static constexpr unsigned kDigitBits = 11;
  static constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

  void sort() {
    if (items_.size() < kDigits / 4) {
      std::sort(items_.begin(), items_.end());
      return;
    }
    other_.resize(items_.size());
    for (unsigned shift = 0; shift < 33; shift += kDigitBits) {  // 32 bits of score and one of label
      std::array<std::size_t, kDigits> starts{};
      const auto digit = [shift](std::uint64_t item) { return (item >> shift) & (kDigits - 1); };
      for (const std::uint64_t item : items_) ++starts[digit(item)];
      std::size_t total = 0;
      for (std::size_t& start : starts) total += std::exchange(start, total);
      for (const std::uint64_t item : items_) other_[starts[digit(item)]++] = item;
      items_.swap(other_);
    }
  }

  std::vector<std::uint64_t> items_;
  std::vector<std::uint64_t> other_;
};

std::vector<double> average_precisions(MatrixView<float> scores, MatrixView<std::int8_t> targets, Zeros zeros) {
  // Several columns at a time, so that a cache line of a row is used while it is there.
  constexpr std::int64_t kBlock = 16;
  std::array<ColumnRanking, kBlock> rankings;
  std::vector<double> result;
  for (std::int64_t first = 0; first < scores.classes; first += kBlock) {
    const std::int64_t width = std::min(kBlock, scores.classes - first);
    for (ColumnRanking& ranking : rankings) ranking.clear();
    for (std::int64_t row = 0; row < scores.rows; ++row) {
      for (std::int64_t k = 0; k < width; ++k) {
        const std::int8_t target = targets(row, first + k);
        if (is_masked(target, zeros)) continue;
        rankings[static_cast<std::size_t>(k)].add(scores(row, first + k), target == kAnnotated);
      }
    }
    for (std::int64_t k = 0; k < width; ++k) {
      result.push_back(rankings[static_cast<std::size_t>(k)].average_precision());
    }
  }
  return result;
}

std::vector<Counts> count_per_class(MatrixView<std::uint8_t> decisions, MatrixView<std::int8_t> targets, Zeros zeros) {
  check_shape(decisions, targets.rows, targets.classes, "decisions");
  check_shape(targets, targets.rows, targets.classes, "targets");
  std::vector<Counts> counts(static_cast<std::size_t>(targets.classes));
  for (std::int64_t row = 0; row < targets.rows; ++row) {
    for (std::int64_t c = 0; c < targets.classes; ++c) {
      add(counts[static_cast<std::size_t>(c)], decisions(row, c) != 0, targets(row, c), zeros);
    }
  }
  return counts;
}

Counts pooled(std::span<const Counts> counts) {
  Counts sum;
  for (const Counts& one : counts) sum.add(one);
  return sum;
}

}  // namespace

void Counts::add(const Counts& other) {
  true_positive += other.true_positive;
  false_positive += other.false_positive;
  false_negative += other.false_negative;
  true_negative += other.true_negative;
}

double Counts::precision() const { return percent(true_positive, predicted()); }
double Counts::recall() const { return percent(true_positive, true_positive + false_negative); }
double Counts::f1() const { return percent(2 * true_positive, 2 * true_positive + false_positive + false_negative); }

Counts count(MatrixView<std::uint8_t> decisions, MatrixView<std::int8_t> targets, Zeros zeros) {
  return pooled(count_per_class(decisions, targets, zeros));
}

Metrics evaluate(MatrixView<float> scores, MatrixView<std::uint8_t> decisions, MatrixView<std::int8_t> targets,
                 Zeros zeros) {
  check_shape(scores, targets.rows, targets.classes, "scores");
  Metrics metrics;
  metrics.class_counts = count_per_class(decisions, targets, zeros);
  const Counts all = pooled(metrics.class_counts);
  metrics.precision = all.precision();
  metrics.recall = all.recall();
  metrics.f1 = all.f1();
  metrics.class_ap = average_precisions(scores, targets, zeros);
  const auto classes = static_cast<double>(targets.classes);
  for (const Counts& counts : metrics.class_counts) {
    metrics.macro_precision += counts.precision() / classes;
    metrics.macro_recall += counts.recall() / classes;
    metrics.macro_f1 += counts.f1() / classes;
  }
  for (double& ap : metrics.class_ap) {
    ap *= 100;
    metrics.map += ap / classes;
  }
  return metrics;
}

double average_precision(std::span<const double> scores, std::span<const std::int8_t> targets, Zeros zeros) {
  if (scores.size() != targets.size()) {
    throw Error(fmt::format("metrics: {} scores for {} targets, expected as many", scores.size(), targets.size()));
  }
  std::vector<std::pair<double, bool>> items;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (is_masked(targets[i], zeros)) continue;
    // NaN ranks last, as in evaluate(); comparing it would break the order.
    const double score = std::isnan(scores[i]) ? -std::numeric_limits<double>::infinity() : scores[i];
    items.emplace_back(score, targets[i] == kAnnotated);
  }
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  PrecisionSum sum;
  for (std::size_t first = 0; first < items.size();) {
    std::int64_t positives = 0;
    std::size_t last = first;
    while (last < items.size() && items[last].first == items[first].first) {
      positives += static_cast<std::int64_t>(items[last++].second);
    }
    sum.add(static_cast<std::int64_t>(last - first), positives);
    first = last;
  }
  return sum.average();
}

double lee_liu(const Counts& against_annotations) {
  const double recall = against_annotations.recall() / 100;
  const double rate =
      ratio(static_cast<double>(against_annotations.predicted()), static_cast<double>(against_annotations.entries()));
  return ratio(recall * recall, rate);
}

double estimated_f1(double recall, double rate, double prior, double positives) {
  if (positives <= 0 || recall <= rate) return 0;
  const double error = std::sqrt(rate * (1 - rate) / positives);
  const double informed = error > 0 ? std::min(1.0, (recall - rate) / (2 * error)) : 1;
  return 100 * informed * ratio(2 * recall * prior, rate + prior);
}

double estimated_f1(const Counts& against_annotations, double prior) {
  const double rate =
      ratio(static_cast<double>(against_annotations.predicted()), static_cast<double>(against_annotations.entries()));
  const auto positives = static_cast<double>(against_annotations.true_positive + against_annotations.false_negative);
  return estimated_f1(against_annotations.recall() / 100, rate, prior, positives);
}

}  // namespace mlpac
