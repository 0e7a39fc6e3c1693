#include "nn/sparse_linear.h"

#include <algorithm>
#include <vector>

namespace mlpac {

namespace {

/// target += factor * source
inline void add_scaled(float* target, const float* source, float factor, std::int64_t count) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) target[i] += factor * source[i];
}

at::Tensor product_on_cpu(const SparseRows& x, const at::Tensor& weight) {
  const std::int64_t outputs = weight.size(1);
  const auto result = at::zeros({x.rows(), outputs}, weight.options());
  const auto* const offsets = x.offsets.data_ptr<std::int32_t>();
  const auto* const columns = x.columns.data_ptr<std::int32_t>();
  const auto* const values = x.values.data_ptr<float>();
  const auto* const w = weight.data_ptr<float>();
  auto* const out = result.data_ptr<float>();
  at::parallel_for(0, x.rows(), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      for (auto k = offsets[row]; k < offsets[row + 1]; ++k) {
        add_scaled(out + row * outputs, w + columns[k] * outputs, values[k], outputs);
      }
    }
  });
  return result;
}

/// The columns that occur, and for each the rows it occurs in: the batch, transposed.
struct Transposed {
  std::vector<std::int64_t> columns;
  std::vector<std::size_t> offsets;
  std::vector<std::int32_t> rows;
  std::vector<float> values;
};

Transposed transpose(const SparseRows& x) {
  const auto* const offsets = x.offsets.data_ptr<std::int32_t>();
  const auto* const columns = x.columns.data_ptr<std::int32_t>();
  const auto* const values = x.values.data_ptr<float>();
  struct Entry {
    std::int32_t column, row;
    float value;
  };
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(x.columns.numel()));
  for (std::int32_t row = 0; row < x.rows(); ++row) {
    for (auto k = offsets[row]; k < offsets[row + 1]; ++k) entries.push_back({columns[k], row, values[k]});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;  // a fixed order of summation
  });
  Transposed result;
  for (const auto& entry : entries) {
    if (result.columns.empty() || result.columns.back() != entry.column) {
      result.offsets.push_back(result.rows.size());
      result.columns.push_back(entry.column);
    }
    result.rows.push_back(entry.row);
    result.values.push_back(entry.value);
  }
  result.offsets.push_back(result.rows.size());
  return result;
}

at::Tensor sparse_gradient(const at::Tensor& columns, const at::Tensor& rows, const at::IntArrayRef shape) {
  return at::_sparse_coo_tensor_unsafe(columns.unsqueeze(0), rows, shape)._coalesced_(true);
}

at::Tensor gradient_on_cpu(const SparseRows& x, const at::Tensor& gradient, at::IntArrayRef shape) {
  const auto batch = transpose(x);
  const auto count = static_cast<std::int64_t>(batch.columns.size());
  const std::int64_t outputs = shape[1];
  const auto g = gradient.contiguous();
  const auto* const in = g.data_ptr<float>();
  const auto result = at::zeros({count, outputs}, gradient.options());
  auto* const out = result.data_ptr<float>();
  at::parallel_for(0, count, 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t u = first; u < last; ++u) {
      const auto column = static_cast<std::size_t>(u);
      for (auto k = batch.offsets[column]; k < batch.offsets[column + 1]; ++k) {
        add_scaled(out + u * outputs, in + batch.rows[k] * outputs, batch.values[k], outputs);
      }
    }
  });
  return sparse_gradient(torch::tensor(batch.columns, at::kLong), result, shape);
}

/// On other devices: the columns that occur, and the batch as a dense matrix [rows x those columns].
struct Compact {
  at::Tensor columns;
  at::Tensor x;
};

Compact compact(const SparseRows& rows) {
  const auto [columns, position] = at::_unique(rows.columns.to(at::kLong), true, true);
  const auto lengths = (rows.offsets.slice(0, 1) - rows.offsets.slice(0, 0, -1)).to(at::kLong);
  const auto row = at::repeat_interleave(lengths);
  auto x = at::zeros({rows.rows(), columns.numel()}, rows.values.options());
  x.index_put_({row, position}, rows.values);
  return {columns, x};
}

struct SparseProduct : torch::autograd::Function<SparseProduct> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& offsets,
                            const at::Tensor& columns, const at::Tensor& values, const at::Tensor& weight) {
    context->save_for_backward({offsets, columns, values});
    context->saved_data["inputs"] = weight.size(0);
    if (weight.device().is_cpu()) return product_on_cpu({offsets, columns, values}, weight.detach());
    const auto small = compact({offsets, columns, values});
    return small.x.mm(weight.detach().index_select(0, small.columns));
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const SparseRows x{saved[0], saved[1], saved[2]};
    const auto& gradient = gradients[0];
    const std::vector<std::int64_t> shape{context->saved_data["inputs"].toInt(), gradient.size(1)};
    at::Tensor result;
    if (gradient.device().is_cpu()) {
      result = gradient_on_cpu(x, gradient, shape);
    } else {
      const auto small = compact(x);
      result = sparse_gradient(small.columns, small.x.t().mm(gradient), shape);
    }
    return {at::Tensor(), at::Tensor(), at::Tensor(), result};
  }
};

}  // namespace

at::Tensor sparse_product(const SparseRows& x, const at::Tensor& weight) {
  return SparseProduct::apply(x.offsets, x.columns, x.values, weight);
}

}  // namespace mlpac
