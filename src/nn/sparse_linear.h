// A linear layer on sparse rows whose cost, forward and backward, is that of the stored values: the first layer of a
// network on data with many columns, of which a row has few.
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// Rows in compressed form, as a batch carries them.
struct SparseRows {
  at::Tensor offsets;  ///< int32 [rows + 1]
  at::Tensor columns;  ///< int32, increasing within a row
  at::Tensor values;   ///< float32

  std::int64_t rows() const { return offsets.numel() - 1; }
};

/// x W for W [columns x outputs] (the layout of PyTorch's EmbeddingBag). The gradient of W is a sparse tensor that
/// holds the rows of the columns that occur in the batch.
at::Tensor sparse_product(const SparseRows& x, const at::Tensor& weight);

/// Its two halves on the CPU, without a graph: x W, and the gradient of W from that of the product.
at::Tensor sparse_forward(const SparseRows& x, const at::Tensor& weight);
at::Tensor sparse_weight_gradient(const SparseRows& x, const at::Tensor& gradient, at::IntArrayRef shape);

}  // namespace mlpac
