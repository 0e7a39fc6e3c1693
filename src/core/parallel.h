// A loop over independent items on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace mlpac {

/// The number of threads meant by an option: 0 is one per core.
std::size_t thread_count(int threads);

/// Cuts 0 ... items-1 into consecutive blocks and calls work(begin, end) for each on at most `threads` threads. If
/// calls throw, the exception of the first block is thrown again, so messages do not depend on timing.
void parallel_blocks(std::size_t items, std::size_t block, int threads,
                     const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace mlpac
