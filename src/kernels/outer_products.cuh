// Outer products of groups of numbers on a GPU, in bfloat16: what stands before and after the matrix products of the
// classifier of pairs (nn/grouped_bilinear). Plain pointers: no LibTorch header, no CUDA header.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

/// Numbers of a group: the only size there are kernels for.
constexpr std::int64_t kOuterBlock = 64;

/// products[group][i][j] = first[group][i] * second[group][j], for `groups` groups in sequence.
void outer_products(std::int64_t groups, const void* first, const void* second, void* products, void* stream);

/// Sums of `inner` [groups x block x block] against the other factor: to_first[i] = sum_j inner[i][j] second[j] and
/// to_second[j] = sum_i inner[i][j] first[i], in float32 and in a fixed order.
void outer_gradients(std::int64_t groups, const void* inner, const void* first, const void* second, void* to_first,
                     void* to_second, void* stream);

}  // namespace mlpac::kernels
