#include "cli/processor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace mlpac::cli {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

/// What OpenBLAS has chosen; empty if another library multiplies matrices.
std::string_view chosen_by_openblas() {
  using CoreName = const char* (*)();
  const auto name = reinterpret_cast<CoreName>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? std::string_view() : name();
}

bool computes(std::string_view command) {
  constexpr std::array<std::string_view, 5> kCommands{"train", "demo", "suggest", "evaluate", "predict"};
  return std::find(kCommands.begin(), kCommands.end(), command) != kCommands.end();
}

}  // namespace

void use_processor(int argc, char** argv) {
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  // Debian's LibTorch stops at AVX2 unless told otherwise; it reads this variable when its first kernel runs.
  if (avx512) ::setenv("ATEN_CPU_CAPABILITY", "avx512", 0);
  // OpenBLAS takes a processor it does not know for a Pentium 4 of 2004, and products then take two to three times as
  // long. It chooses while it is loaded, before anything of ours runs: hence anew. What is set by hand stays.
  if (!avx2 || ::getenv("OPENBLAS_CORETYPE") != nullptr || chosen_by_openblas() != "Prescott") return;
  ::setenv("OPENBLAS_CORETYPE", avx512 ? "SkylakeX" : "Haswell", 1);   // programs that this one starts find it, too
  if (argc > 1 && computes(argv[1])) ::execv("/proc/self/exe", argv);  // comes back only where it fails: just slower
}

#else

void use_processor(int /*argc*/, char** /*argv*/) {}

#endif

}  // namespace mlpac::cli
