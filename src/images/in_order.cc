#include "images/in_order.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mlpac {
namespace {

class Queue {
 public:
  Queue(std::size_t jobs, const std::function<void(std::size_t)>& job) : jobs_(jobs), first_failure_(jobs), job_(job) {}

  /// Takes the next job; false if there is none.
  bool work() {
    const std::size_t mine = next_.fetch_add(1);
    if (mine >= jobs_) return false;
    try {
      job_(mine);
    } catch (...) {
      close();
      const std::lock_guard lock(mutex_);
      if (mine < first_failure_) {
        first_failure_ = mine;
        failure_ = std::current_exception();
      }
      return false;
    }
    done_.fetch_add(1);
    return true;
  }

  void close() { next_ = jobs_; }

  /// After all threads have ended.
  std::size_t finish() {
    if (failure_) std::rethrow_exception(failure_);
    return done_;
  }

 private:
  const std::size_t jobs_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
  std::size_t first_failure_;
  std::exception_ptr failure_;
  const std::function<void(std::size_t)>& job_;
};

}  // namespace

std::size_t run_in_order(std::size_t jobs, int threads, const std::function<void(std::size_t)>& job,
                         const std::function<bool()>& stopped) {
  Queue queue(jobs, job);
  std::size_t count = threads > 0 ? static_cast<std::size_t>(threads) : std::thread::hardware_concurrency();
  count = std::clamp(count, std::size_t{1}, std::max(jobs, std::size_t{1}));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < count; ++i) {
      others.emplace_back([&queue] {
        while (queue.work()) {
        }
      });
    }
    try {
      while (!stopped() && queue.work()) {
      }
    } catch (...) {
      queue.close();  // what `stopped` throws ends all threads too
      throw;
    }
    if (stopped()) queue.close();
  }
  return queue.finish();
}

}  // namespace mlpac
