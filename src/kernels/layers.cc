#include <algorithm>
#include <cstring>

#include "kernels/clones.h"
#include "kernels/kernels.h"

namespace mlpac::kernels {

namespace {

/// Eight numbers side by side: a register of AVX2. Wider ones would be taken apart in memory where there is no AVX-512,
/// which most machines do not have; an array of sums would be loaded and stored for every row.
using Lanes [[gnu::vector_size(32)]] = float;
constexpr std::int64_t kLanes = 8;

inline void add_lanes(Lanes& sum, const float* source, float factor) {
  Lanes values;
  std::memcpy(&values, source, sizeof values);
  sum += factor * values;
}

}  // namespace

MLPAC_CLONES void weighted_rows(float* out, const float* matrix, const std::int32_t* rows, const float* factors,
                                std::int64_t count, std::int64_t width) {
  constexpr std::int64_t kBlock = 8 * kLanes;  // eight sums hide how long an addition takes
  std::int64_t first = 0;
  for (; first + kBlock <= width; first += kBlock) {
    Lanes a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
    for (std::int64_t i = 0; i < count; ++i) {
      const float* const row = matrix + rows[i] * width + first;
      add_lanes(a, row, factors[i]);
      add_lanes(b, row + kLanes, factors[i]);
      add_lanes(c, row + 2 * kLanes, factors[i]);
      add_lanes(d, row + 3 * kLanes, factors[i]);
      add_lanes(e, row + 4 * kLanes, factors[i]);
      add_lanes(f, row + 5 * kLanes, factors[i]);
      add_lanes(g, row + 6 * kLanes, factors[i]);
      add_lanes(h, row + 7 * kLanes, factors[i]);
    }
    float* to = out + first;
    for (const Lanes& sum : {a, b, c, d, e, f, g, h}) {
      std::memcpy(to, &sum, sizeof sum);
      to += kLanes;
    }
  }
  if (first == width) return;
  std::fill(out + first, out + width, 0.0F);
  for (std::int64_t i = 0; i < count; ++i) {
    const float* const row = matrix + rows[i] * width;
    const float factor = factors[i];
#pragma omp simd
    for (std::int64_t j = first; j < width; ++j) out[j] += factor * row[j];
  }
}

MLPAC_CLONES void add_bias(float* x, const float* bias, std::int64_t rows, std::int64_t width, bool relu) {
  for (std::int64_t row = 0; row < rows; ++row, x += width) {
    if (relu) {
#pragma omp simd
      for (std::int64_t j = 0; j < width; ++j) {
        const float sum = x[j] + bias[j];
        x[j] = sum < 0 ? 0.0F : sum;  // NaN stays
      }
    } else {
#pragma omp simd
      for (std::int64_t j = 0; j < width; ++j) x[j] += bias[j];
    }
  }
}

MLPAC_CLONES void relu_gradient(float* g, const float* output, std::int64_t count, float scale) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) g[i] = output[i] > 0 ? g[i] * scale : 0.0F;
}

MLPAC_CLONES void column_sums(float* sums, const float* x, std::int64_t rows, std::int64_t width) {
  std::fill(sums, sums + width, 0.0F);
  for (std::int64_t row = 0; row < rows; ++row, x += width) {
#pragma omp simd
    for (std::int64_t j = 0; j < width; ++j) sums[j] += x[j];
  }
}

}  // namespace mlpac::kernels
