// TIcE: Bekker & Davis, "Estimating the Class Prior in Positive and Unlabeled Data through Decision Tree Induction",
// AAAI 2018. Within any part of the input space the annotated share is at most the label frequency, and equals it
// where all rows are positive. A tree grown on one fold proposes such parts; the highest lower confidence bound of the
// annotated share on the other folds estimates the label frequency.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>

#include "core/random.h"
#include "priors/priors.h"

namespace mlpac {

namespace {

constexpr std::size_t kFolds = 5;
constexpr double kFewestRows = 10;    // of a part that says something
constexpr std::size_t kSplits = 500;  // of a tree
constexpr double kPrior = 5;          // k of the biased estimate: rows without annotation added to every part
constexpr std::size_t kColumns = 64;  // tried at each split: those that separate annotated rows best

struct Count {
  double rows = 0;
  double annotated = 0;
};

/// Biased estimate of the annotated share: high for large pure parts.
double promise(const Count& count) { return count.annotated / (count.rows + kPrior); }

/// Lower bound of the label frequency from one part (Cantelli's inequality), given a guess of it for the variance.
double lower_bound(const Count& count, double guess, double delta) {
  if (count.rows < kFewestRows) return 0;
  return count.annotated / count.rows - std::sqrt(guess * (1 - guess) * (1 - delta) / (delta * count.rows));
}

/// Part of the data: rows the tree is grown on and rows that estimate.
struct Part {
  std::vector<std::int32_t> grown;
  std::vector<std::int32_t> held;
  double promise = 0;
  friend bool operator<(const Part& a, const Part& b) { return a.promise < b.promise; }
};

class Tree {
 public:
  Tree(const PriorEvidence& evidence, Part root) : annotated_(evidence.annotated) {
    const auto separation = evidence.columns->separation(root.grown, annotated_);
    std::vector<std::size_t> order(separation.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept = std::min(kColumns, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        return separation[a] != separation[b] ? separation[a] > separation[b] : a < b;
                      });
    for (std::size_t i = 0; i < kept; ++i) columns_.push_back(evidence.columns->column(order[i]));
    grow(std::move(root));
  }

  /// Of the rows that estimate, in every part of the tree.
  const std::vector<Count>& parts() const { return parts_; }

 private:
  struct Split {
    std::size_t column = 0;
    std::size_t above = 0;  ///< bins beyond this one go to the other side
    double promise = 0;
  };

  Count count(std::span<const std::int32_t> rows) const {
    Count result{static_cast<double>(rows.size()), 0};
    for (const std::int32_t row : rows) result.annotated += annotated_[static_cast<std::size_t>(row)];
    return result;
  }

  Split best_split(const Part& part) const {
    Split best;
    const Count total = count(part.grown);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::array<Count, BinnedColumns::kBins> bins{};
      for (const std::int32_t row : part.grown) {
        auto& bin = bins[columns_[c][static_cast<std::size_t>(row)]];
        ++bin.rows;
        bin.annotated += annotated_[static_cast<std::size_t>(row)];
      }
      Count low;
      for (std::size_t b = 0; b + 1 < bins.size(); ++b) {
        low.rows += bins[b].rows;
        low.annotated += bins[b].annotated;
        const Count high{total.rows - low.rows, total.annotated - low.annotated};
        if (low.rows == 0 || high.rows == 0) continue;
        const double value = std::max(promise(low), promise(high));
        if (value > best.promise) best = {c, b, value};
      }
    }
    return best;
  }

  std::vector<std::int32_t> side(std::span<const std::int32_t> rows, const Split& split, bool high) const {
    std::vector<std::int32_t> result;
    for (const std::int32_t row : rows) {
      if ((columns_[split.column][static_cast<std::size_t>(row)] > split.above) == high) result.push_back(row);
    }
    return result;
  }

  void grow(Part root) {
    parts_.push_back(count(root.held));
    root.promise = promise(count(root.grown));
    std::priority_queue<Part> open;
    open.push(std::move(root));
    for (std::size_t splits = 0; splits < kSplits && !open.empty(); ++splits) {
      const Part part = open.top();
      open.pop();
      const auto split = best_split(part);
      if (split.promise == 0) continue;
      for (const bool high : {false, true}) {
        Part child{side(part.grown, split, high), side(part.held, split, high)};
        parts_.push_back(count(child.held));
        child.promise = promise(count(child.grown));
        if (child.promise > 0 && static_cast<double>(child.grown.size()) >= kFewestRows &&
            static_cast<double>(child.held.size()) >= kFewestRows) {
          open.push(std::move(child));
        }
      }
    }
  }

  std::span<const std::uint8_t> annotated_;
  std::vector<std::vector<std::uint8_t>> columns_;
  std::vector<Count> parts_;
};

}  // namespace

double tice(const PriorEvidence& evidence) {
  const auto rows = static_cast<std::int32_t>(evidence.annotated.size());
  std::array<std::vector<Count>, kFolds> parts;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    Part root;
    for (std::int32_t row = 0; row < rows; ++row) {
      const bool own = row_key(evidence.key, 0, static_cast<std::uint64_t>(row)) % kFolds == fold;
      (own ? root.grown : root.held).push_back(row);
    }
    parts[fold] = Tree(evidence, std::move(root)).parts();
  }
  double frequency = 0.5;
  for (int iteration = 0; iteration < 2; ++iteration) {
    double sum = 0;
    for (const auto& fold : parts) {
      const double delta = std::max(0.025, 1 / (1 + 0.004 * fold.front().rows));
      double best = evidence.share();
      for (const auto& count : fold) best = std::max(best, lower_bound(count, frequency, delta));
      sum += std::min(best, 1.0);
    }
    frequency = sum / kFolds;
  }
  return evidence.share() / frequency;
}

}  // namespace mlpac
