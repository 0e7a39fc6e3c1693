// Iterative stratification of multi-label rows: K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the Stratification of
// Multi-label Data", ECML PKDD 2011, algorithm 1, for two parts of which the sizes are exact.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/fraction.h"
#include "mlpac/annotation.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

enum class Part : std::uint8_t { undecided, train, validation };

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Rows in a random order. Without it the first rows of every class would go to the larger part and the last ones to
/// the smaller, which splits a file that is sorted (by time, by source) along its order.
std::vector<std::int64_t> shuffled_rows(std::int64_t rows, std::uint64_t stream) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> keyed;
  keyed.reserve(at(rows));
  for (std::int64_t row = 0; row < rows; ++row)
    keyed.emplace_back(bits_at(stream, static_cast<std::uint64_t>(row)), row);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::int64_t> order;
  order.reserve(keyed.size());
  for (const auto& [key, row] : keyed) order.push_back(row);
  return order;
}

class Stratifier {
 public:
  Stratifier(const Labels& labels, double fraction, std::uint64_t seed)
      : labels_(labels),
        fraction_(fraction),
        tie_stream_(stream_key(seed, "stratify tie")),
        class_stream_(stream_key(seed, "stratify class")),
        order_(shuffled_rows(labels.rows(), stream_key(seed, "stratify order"))),
        parts_(at(labels.rows()), Part::undecided),
        positives_(labels.count_per_class(kAnnotated)),
        remaining_(positives_),
        surplus_(positives_.size(), 0),
        touched_(positives_.size(), false),
        validation_wanted_(part_of(labels.rows(), fraction)),
        train_wanted_(labels.rows() - validation_wanted_) {
    collect_rows_of_classes();
  }

  Split run() {
    for (std::size_t c = 0; c < positives_.size(); ++c) enqueue(c);
    while (!queue_.empty()) {
      const auto [count, tie, rarest] = queue_.top();
      queue_.pop();
      if (count == remaining_[rarest]) distribute(rarest);  // otherwise the line is out of date and a newer one follows
    }
    for (const std::int64_t row : order_) {
      if (parts_[at(row)] == Part::undecided) assign(row, validation_wanted_ > 0 ? Part::validation : Part::train);
    }
    bring_back_missing_classes();
    Split split;
    for (std::int64_t row = 0; row < labels_.rows(); ++row) {
      (parts_[at(row)] == Part::validation ? split.validation : split.train).push_back(row);
    }
    return split;
  }

 private:
  /// The matrix by class: rows of class c are rows_[starts_[c]] to rows_[starts_[c + 1]], in the random order.
  void collect_rows_of_classes() {
    starts_.resize(positives_.size() + 1, 0);
    std::partial_sum(positives_.begin(), positives_.end(), starts_.begin() + 1);
    rows_.resize(at(starts_.back()));
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    for (const std::int64_t row : order_) {
      for (const LabelEntry& entry : labels_.row(row)) {
        if (entry.state == kAnnotated) rows_[at(next[at(entry.column)]++)] = row;
      }
    }
  }

  void enqueue(std::size_t c) {
    if (remaining_[c] > 0) queue_.emplace(remaining_[c], bits_at(class_stream_, c), c);
  }

  /// Decides all rows that are left of a class. The other classes of these rows get one new line in the queue each,
  /// however many rows they lost.
  void distribute(std::size_t c) {
    std::vector<std::size_t> changed;
    for (std::int64_t i = starts_[c]; i < starts_[c + 1]; ++i) {
      const std::int64_t row = rows_[at(i)];
      if (parts_[at(row)] != Part::undecided) continue;
      assign(row, preferred(c, row));
      for (const LabelEntry& entry : labels_.row(row)) {
        const std::size_t other = at(entry.column);
        if (entry.state != kAnnotated || touched_[other]) continue;
        touched_[other] = true;
        changed.push_back(other);
      }
    }
    for (const std::size_t other : changed) {
      touched_[other] = false;
      enqueue(other);
    }
  }

  /// The part that wants most of the class, then most rows, then a draw; a full part gets nothing.
  Part preferred(std::size_t c, std::int64_t row) const {
    if (validation_wanted_ == 0) return Part::train;
    if (train_wanted_ == 0) return Part::validation;
    // (fraction n - in validation) - ((1 - fraction) n - in train), where rounding must not hide a tie.
    const auto count = static_cast<double>(positives_[c]);
    const double gap = (2 * fraction_ - 1) * count + static_cast<double>(surplus_[c]);
    if (std::abs(gap) > 1e-9 * (count + 1)) return gap > 0 ? Part::validation : Part::train;
    if (validation_wanted_ != train_wanted_) {
      return validation_wanted_ > train_wanted_ ? Part::validation : Part::train;
    }
    return (bits_at(tie_stream_, static_cast<std::uint64_t>(row)) >> 63U) != 0 ? Part::validation : Part::train;
  }

  void assign(std::int64_t row, Part part) {
    parts_[at(row)] = part;
    --(part == Part::validation ? validation_wanted_ : train_wanted_);
    for (const LabelEntry& entry : labels_.row(row)) {
      if (entry.state != kAnnotated) continue;
      --remaining_[at(entry.column)];
      surplus_[at(entry.column)] += part == Part::train ? 1 : -1;
    }
  }

  std::int64_t in_part(std::size_t c, Part part) const {
    return (positives_[c] + (part == Part::train ? surplus_[c] : -surplus_[c])) / 2;
  }

  /// Whether a part should have at least two positives of a class, and so must not be without any.
  bool must_have(std::size_t c, Part part) const {
    const double share = part == Part::train ? 1 - fraction_ : fraction_;
    return share * static_cast<double>(positives_[c]) > 2 - 1e-9;
  }

  /// Whether a part can lose a row (for one of another class) and still has every class that it must have.
  bool can_spare(std::int64_t row, Part part) const {
    const auto entries = labels_.row(row);
    return std::none_of(entries.begin(), entries.end(), [&](const LabelEntry& entry) {
      const std::size_t c = at(entry.column);
      return entry.state == kAnnotated && must_have(c, part) && in_part(c, part) == 1;
    });
  }

  /// Where classes overlap much, rarer ones can draw all rows of a class into one part. Then one of its rows is
  /// exchanged for one of the other part, so that the sizes stay, if that does not take the last row of another class.
  void bring_back_missing_classes() {
    for (const auto& [poor, rich] :
         {std::pair(Part::validation, Part::train), std::pair(Part::train, Part::validation)}) {
      for (std::size_t c = 0; c < positives_.size(); ++c) {
        if (must_have(c, poor) && in_part(c, poor) == 0) exchange(c, rich, poor);
      }
    }
  }

  void exchange(std::size_t c, Part rich, Part poor) {
    const auto spared_by = [&](Part part) {
      return [this, part](std::int64_t row) { return parts_[at(row)] == part && can_spare(row, part); };
    };
    const auto last = rows_.begin() + starts_[c + 1];
    const auto given = std::find_if(rows_.begin() + starts_[c], last, spared_by(rich));
    const auto taken = std::find_if(order_.begin(), order_.end(), spared_by(poor));
    if (given == last || taken == order_.end()) return;
    move(*given, poor);
    move(*taken, rich);
  }

  void move(std::int64_t row, Part part) {
    parts_[at(row)] = part;
    for (const LabelEntry& entry : labels_.row(row)) {
      if (entry.state == kAnnotated) surplus_[at(entry.column)] += part == Part::train ? 2 : -2;
    }
  }

  const Labels& labels_;
  double fraction_;
  std::uint64_t tie_stream_;
  std::uint64_t class_stream_;
  std::vector<std::int64_t> order_;
  std::vector<Part> parts_;              ///< of rows
  std::vector<std::int64_t> positives_;  ///< of classes
  std::vector<std::int64_t> remaining_;  ///< of these, in undecided rows
  std::vector<std::int64_t> surplus_;    ///< in train less those in validation
  std::vector<bool> touched_;            ///< classes already in the list of changed ones
  std::int64_t validation_wanted_;       ///< rows the part still needs
  std::int64_t train_wanted_;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> rows_;
  /// Classes by the number of remaining rows, ties in a random order. A class has several lines; the one with its
  /// present number counts.
  using Line = std::tuple<std::int64_t, std::uint64_t, std::size_t>;
  std::priority_queue<Line, std::vector<Line>, std::greater<>> queue_;
};

}  // namespace

Split split_stratified(const Labels& annotated, double validation_fraction, std::uint64_t seed) {
  check_fraction(validation_fraction, "the fraction of validation rows");
  return Stratifier(annotated, validation_fraction, seed).run();
}

}  // namespace mlpac
