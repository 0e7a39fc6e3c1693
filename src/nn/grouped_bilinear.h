// The classifier of pairs (ATLOP, Zhou et al. 2021): both vectors in groups, the outer products of the groups joined,
// and a linear layer on them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace mlpac {

/// Largest number of bytes of outer products that exist at once.
inline constexpr std::int64_t kBilinearBytes = std::int64_t{256} << 20;

/// `first`, `second` [rows x width], `weight` [outputs x (width / block) block block] with the row of an outer product
/// from `first`: the sum without the bias, [rows x outputs]. The products are never kept: they are made again for the
/// gradient, in parts of `bytes`.
at::Tensor grouped_bilinear(const at::Tensor& first, const at::Tensor& second, const at::Tensor& weight,
                            std::int64_t block, std::int64_t bytes = kBilinearBytes);

}  // namespace mlpac
