// How the program treats memory that it has freed.
#pragma once

#include <cstdlib>  // which says whether this is glibc
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mlpac {

/// Keeps it for the next request: images and batches of the same size come and go all the time, and handing their pages
/// back to the system in between took a quarter of the time of making an image. For main functions; a library leaves
/// this to its caller.
inline void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargest = 32 << 20;  // more, glibc does not take from its heaps
  constexpr int kKept = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace mlpac
