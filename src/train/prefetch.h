// Inputs that are made ahead, item by item, on threads of their own: while a step is computed, the next ones decode.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "train/problem.h"

namespace mlpac {

/// Keys of the random changes of an epoch; what an item becomes depends on nothing else, so not on threads or batches.
struct EpochKey {
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
};

/// Which items the batches of a data set hold, from `first` up to `end`.
struct BatchList {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::function<std::vector<std::int64_t>(std::int64_t)> items;
  std::optional<EpochKey> training = {};  ///< none: items as evaluation sees them
};

class Prefetch {
 public:
  /// `pinned`: memory from which a GPU copies while it computes.
  Prefetch(const ItemSource& source, BatchList list, std::int64_t threads, bool pinned);
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;
  ~Prefetch();

  struct Bytes {
    std::vector<std::int64_t> items;
    at::Tensor bytes;  ///< [items x item_shape]
  };
  /// The next batch of the list; rethrows what making it threw.
  Bytes next();
  /// Seconds that callers of next() have waited.
  double waited() const { return waited_; }

 private:
  /// Most batches that are made or wait to be taken: what bounds the memory.
  static constexpr std::size_t kAhead = 4;

  struct Slot {
    Bytes content;
    std::int64_t number = 0;  ///< in the list
    std::size_t begun = 0;
    std::size_t done = 0;
    std::exception_ptr failure;
    bool ready() const { return done == content.items.size(); }
  };

  void work();
  /// A batch with an item that nobody has begun; null if none may be begun now.
  Slot* open_slot();
  void make(Slot& slot, std::size_t first, std::size_t end);

  const ItemSource& source_;
  BatchList list_;
  std::int64_t next_;  ///< batch that gets a slot next
  std::size_t item_bytes_;
  std::size_t portion_ = 1;  ///< items a thread takes at a time
  bool pinned_;
  std::uint64_t stream_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot> slots_;  ///< in order; references stay valid at both ends
  bool stop_ = false;
  double waited_ = 0;
  std::vector<std::thread> threads_;
};

/// The batches of a list, collated; made ahead where the data set is slow.
class BatchStream {
 public:
  BatchStream(const Dataset& data, BatchList list, at::Device device, std::int64_t threads);

  /// The next one: its inputs and rows; nothing for a batch without items.
  void next(Batch& batch);
  /// Seconds that it took to have them where making them is slow.
  double waited() const { return ahead_ ? ahead_->waited() : waited_; }

 private:
  const Dataset& data_;
  const ItemSource* source_;
  BatchList list_;
  at::Device device_;
  std::int64_t begin_;  ///< the first batch of the list, which moves on
  double waited_ = 0;
  std::optional<Prefetch> ahead_;
};

}  // namespace mlpac
