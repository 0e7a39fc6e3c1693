#include "train/workers.h"

#include "nn/torch.h"

namespace mlpac {

Workers::Workers(std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Workers::work() {
  at::set_num_threads(1);  // the setting of OpenMP belongs to a thread
  std::unique_lock lock(mutex_);
  for (;;) {
    start_.wait(lock, [this] { return stop_ || next_ < jobs_; });
    if (stop_) return;
    take_jobs(lock);
  }
}

void Workers::take_jobs(std::unique_lock<std::mutex>& lock) {
  while (next_ < jobs_) {
    const std::size_t mine = next_++;
    ++running_;
    const auto* const job = job_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job)(mine);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    errors_[mine] = error;
    if (--running_ == 0 && next_ >= jobs_) done_.notify_all();
  }
}

void Workers::run(std::size_t jobs, const std::function<void(std::size_t)>& job) {
  if (threads_.empty() || jobs < 2) {
    for (std::size_t i = 0; i < jobs; ++i) job(i);
    return;
  }
  std::unique_lock lock(mutex_);
  job_ = &job;
  jobs_ = jobs;
  next_ = 0;
  errors_.assign(jobs, nullptr);
  lock.unlock();
  start_.notify_all();
  lock.lock();
  take_jobs(lock);
  done_.wait(lock, [this] { return running_ == 0 && next_ >= jobs_; });
  jobs_ = 0;
  for (const auto& error : errors_) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace mlpac
