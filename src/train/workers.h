// Threads that take the steps of independent learners at the same time. Networks too small to be worth splitting over
// cores are trained side by side instead.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mlpac {

class Workers {
 public:
  /// `count` threads work, the calling one included; each uses one thread inside LibTorch if there are several.
  explicit Workers(std::size_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Calls job(0) ... job(jobs - 1), each once, and returns when all are done; rethrows the first exception by number.
  void run(std::size_t jobs, const std::function<void(std::size_t)>& job);

 private:
  void work();
  void take_jobs(std::unique_lock<std::mutex>& lock);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t jobs_ = 0;
  std::size_t next_ = 0;
  std::size_t running_ = 0;
  bool stop_ = false;
  std::vector<std::exception_ptr> errors_;
};

}  // namespace mlpac
