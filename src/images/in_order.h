// Independent pieces of work on several threads, with the outcome that one thread would have.
#pragma once

#include <cstddef>
#include <functional>

namespace mlpac {

/// Calls job(0) ... job(jobs - 1) on up to `threads` threads, the calling one included; 0: one for each core. Jobs
/// begin in order, so when one throws, all before it have begun and are finished, and the exception of the first is
/// thrown; later jobs are left out. `stopped` is asked by the calling thread between its jobs; true leaves out the
/// rest. Returns how many jobs have begun.
std::size_t run_in_order(std::size_t jobs, int threads, const std::function<void(std::size_t)>& job,
                         const std::function<bool()>& stopped);

}  // namespace mlpac
