// What somebody decided about suggested labels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/labels.h"

namespace mlpac {

enum class Verdict : std::uint8_t {
  open,    ///< nothing was decided
  accept,  ///< the label belongs to the instance
  reject,  ///< it does not
  skip,    ///< somebody could not tell
};

std::string_view verdict_name(Verdict verdict);
/// Nothing for another word.
std::optional<Verdict> parse_verdict(std::string_view name);

struct ReviewDecision {
  Verdict verdict = Verdict::open;
  std::int64_t row = 0;
  std::string id;
  std::string label;
  double probability = 0;  ///< that the suggestion had
  std::string time;        ///< UTC, 2026-11-16T03:00:00Z
  friend bool operator==(const ReviewDecision&, const ReviewDecision&) = default;
};

/// Decisions in the order they were made. A later one about the same entry counts instead of the earlier one, which
/// counts again when the later one is taken back.
class ReviewDecisions {
 public:
  void add(ReviewDecision decision) { made_.push_back(std::move(decision)); }
  /// Takes the last one back; nothing if there is none.
  std::optional<ReviewDecision> take_back();
  /// What counts about an entry.
  Verdict verdict(std::int64_t row, std::string_view label) const;
  /// Every decision that counts, in their order.
  std::vector<ReviewDecision> standing() const;
  std::size_t size() const { return made_.size(); }

 private:
  std::vector<ReviewDecision> made_;
};

/// What the rows of a label matrix are called; without ids they are numbered.
struct RowNames {
  std::span<const std::string> ids;
  std::span<const std::string> labels;
};

/// The labels with accepted entries as annotated and rejected ones as known negatives. Rows are found by their ids, or
/// by number if there are none. Error, which names `source`, for a row or label that is not there.
Labels with_decisions(const Labels& labels, std::span<const ReviewDecision> standing, const RowNames& names,
                      const std::string& source);

}  // namespace mlpac
