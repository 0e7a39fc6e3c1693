#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace mlpac {

std::size_t thread_count(int threads) {
  return threads > 0 ? static_cast<std::size_t>(threads) : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_blocks(std::size_t items, std::size_t block, int threads,
                     const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t blocks = (items + block - 1) / block;
  std::vector<std::exception_ptr> failures(blocks);
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < blocks; i = next++) {
      try {
        work(i * block, std::min(items, (i + 1) * block));
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(thread_count(threads), blocks); ++i) others.emplace_back(run);
  run();
  for (std::thread& thread : others) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace mlpac
