// A review in progress: suggestions, what was decided about them, and what comes next. Any thread may call it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "review/decisions.h"
#include "review/instances.h"
#include "review/journal.h"
#include "review/suggestion_index.h"

namespace mlpac {

/// Which suggestions are gone through.
struct ReviewFilter {
  std::optional<std::int32_t> label;  ///< only this one
  Verdict verdict = Verdict::open;    ///< only those that this was decided about
};

class ReviewSession {
 public:
  /// Checks that the data is the one the suggestions were made for. Skips nothing: what the journal holds counts.
  ReviewSession(SuggestionIndex suggestions, std::unique_ptr<const Instances> instances, Journal& journal);

  /// Everything the page needs to know at first.
  nlohmann::json state() const;
  /// How many are decided; of all, and of the filter's label.
  nlohmann::json progress(const ReviewFilter& filter) const;
  /// The first suggestion from `from` on that fits, beginning again at the end; nothing if none does.
  std::optional<std::size_t> next(std::size_t from, const ReviewFilter& filter) const;
  /// A suggestion with its instance, for the page. Error for a number that is too large.
  nlohmann::json item(std::size_t at) const;
  std::optional<Picture> picture(std::size_t at) const;

  /// On disk when it returns.
  void decide(std::size_t at, Verdict verdict);
  struct Undone {
    ReviewDecision decision;
    std::optional<std::size_t> at;  ///< nothing if the list does not have this suggestion any more
  };
  std::optional<Undone> undo();

 private:
  using Counts = std::array<std::int64_t, 4>;  ///< of each verdict
  void set(std::size_t at, Verdict verdict);
  void check(std::size_t at) const;

  SuggestionIndex suggestions_;
  std::unique_ptr<const Instances> instances_;
  Journal& journal_;
  mutable std::mutex mutex_;
  std::vector<Verdict> verdicts_;
  std::vector<Counts> labels_;
  Counts all_{};
};

}  // namespace mlpac
