// Made-up sparse data of any size that can be learned: every label has columns of its own, and the rows that carry the
// label have some of them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace mlpac::bench {

struct WideSpec {
  std::int64_t rows = 1'000'000;
  std::int32_t columns = 100'000;
  std::int32_t values = 50;  ///< of a row
  std::int32_t labels = 1000;
  std::int32_t positives = 3;  ///< of a row
  std::uint64_t seed = 1;
};

/// Writes the rows as libsvm with XMLRepo header.
void write_wide_libsvm(const WideSpec& spec, const std::filesystem::path& path);

}  // namespace mlpac::bench
