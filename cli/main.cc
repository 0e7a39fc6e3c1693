#include <cstdlib>

#include "cli/command.h"

int main(int argc, char** argv) {
#if defined(__x86_64__) && defined(__GNUC__)
  // Debian's LibTorch stops at AVX2 unless told otherwise; it reads this variable when its first kernel runs.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    ::setenv("ATEN_CPU_CAPABILITY", "avx512", 0);
  }
#endif
  return mlpac::cli::dispatch(argc, argv);
}
