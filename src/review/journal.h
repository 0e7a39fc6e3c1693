// The journal of a review: one JSON object per line, on disk before the decision counts.
//
// The first line says what is decided about; every other one is a decision, or an undo that takes the last decision
// back. A process that is killed may leave half of a line behind: it was never confirmed, and is removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "review/decisions.h"

namespace mlpac {

/// What a journal belongs to.
struct JournalFacts {
  std::string suggestions;     ///< file
  std::string data;            ///< file
  std::int64_t instances = 0;  ///< of the data: decisions about other data are refused
};

/// Reads the decisions of a journal; Error names the file and the line.
ReviewDecisions read_journal(const std::filesystem::path& path);

class Journal {
 public:
  /// Opens or creates it; no other process can have it open at the same time.
  Journal(std::filesystem::path path, const JournalFacts& facts);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  const ReviewDecisions& decisions() const { return decisions_; }
  /// Both return when the line is on disk, or throw Error and change nothing.
  void add(ReviewDecision decision);
  std::optional<ReviewDecision> undo();
  /// Whether half a line of a killed process was removed.
  bool repaired() const { return repaired_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void append(const std::string& line);

  std::filesystem::path path_;
  int fd_ = -1;
  std::int64_t size_ = 0;  ///< of what is confirmed
  bool repaired_ = false;
  ReviewDecisions decisions_;
};

/// The time now, as decisions have it.
std::string utc_now();

}  // namespace mlpac
