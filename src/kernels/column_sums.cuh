// Sums over the rows of a matrix on a GPU, from bfloat16, in float32 and in a fixed order: the gradient of a bias.
// Plain pointers: no LibTorch header, no CUDA header.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

/// Columns are taken so many at a time, and lie next to each other.
constexpr std::int64_t kColumnStep = 8;

struct ColumnSums {
  std::int64_t rows, columns;

  /// float32 numbers that the sums need beside their result.
  std::int64_t workspace() const;
  /// sums [columns] of x [rows x columns], both bfloat16.
  void operator()(const void* x, void* sums, float* workspace, void* stream) const;

 private:
  std::int64_t slices() const;
};

}  // namespace mlpac::kernels
