#include "nn/sparse_linear.h"

#include <array>
#include <numeric>
#include <vector>

#include "kernels/kernels.h"

namespace mlpac {

namespace {

/// The columns that occur, and for each the rows it occurs in: the batch, transposed.
struct Transposed {
  std::vector<std::int64_t> columns;
  std::vector<std::size_t> offsets;
  std::vector<std::int32_t> rows;
  std::vector<float> values;
};

struct Entry {
  std::int32_t column, row;
  float value;
};

/// Sorts by column and keeps the order of rows, which fixes the order of summation: a radix sort, whose cost depends on
/// the number of columns only by the number of digits.
void sort_by_column(std::vector<Entry>& entries, std::int64_t columns) {
  constexpr int kBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  std::vector<Entry> sorted(entries.size());
  for (int shift = 0; columns > std::int64_t{1} << shift; shift += kBits) {
    const auto digit = [&](const Entry& entry) {
      return (static_cast<std::uint32_t>(entry.column) >> shift) & (kDigits - 1);
    };
    std::array<std::size_t, kDigits> place{};
    for (const auto& entry : entries) ++place[digit(entry)];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), std::size_t{0});
    for (const auto& entry : entries) sorted[place[digit(entry)]++] = entry;
    entries.swap(sorted);
  }
}

Transposed transpose(const SparseRows& x, std::int64_t inputs) {
  const auto* const offsets = x.offsets.data_ptr<std::int32_t>();
  const auto* const columns = x.columns.data_ptr<std::int32_t>();
  const auto* const values = x.values.data_ptr<float>();
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(x.columns.numel()));
  for (std::int32_t row = 0; row < x.rows(); ++row) {
    for (auto k = offsets[row]; k < offsets[row + 1]; ++k) entries.push_back({columns[k], row, values[k]});
  }
  sort_by_column(entries, inputs);
  Transposed result;
  result.rows.reserve(entries.size());
  result.values.reserve(entries.size());
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

}  // namespace

at::Tensor sparse_forward(const SparseRows& x, const at::Tensor& weight) {
  const std::int64_t outputs = weight.size(1);
  const auto result = at::empty({x.rows(), outputs}, weight.options());
  const auto* const offsets = x.offsets.data_ptr<std::int32_t>();
  const auto* const columns = x.columns.data_ptr<std::int32_t>();
  const auto* const values = x.values.data_ptr<float>();
  const auto* const w = weight.data_ptr<float>();
  auto* const out = result.data_ptr<float>();
  at::parallel_for(0, x.rows(), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      const auto first_value = offsets[row];
      kernels::weighted_rows(out + row * outputs, w, columns + first_value, values + first_value,
                             offsets[row + 1] - first_value, outputs);
    }
  });
  return result;
}

at::Tensor sparse_weight_gradient(const SparseRows& x, const at::Tensor& gradient, at::IntArrayRef shape) {
  const auto batch = transpose(x, shape[0]);
  const auto count = static_cast<std::int64_t>(batch.columns.size());
  const std::int64_t outputs = shape[1];
  const auto g = gradient.contiguous();
  const auto* const in = g.data_ptr<float>();
  const auto result = at::empty({count, outputs}, gradient.options());
  auto* const out = result.data_ptr<float>();
  at::parallel_for(0, count, 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t u = first; u < last; ++u) {
      const auto column = static_cast<std::size_t>(u);
      const auto first_value = batch.offsets[column];
      kernels::weighted_rows(out + u * outputs, in, batch.rows.data() + first_value, batch.values.data() + first_value,
                             static_cast<std::int64_t>(batch.offsets[column + 1] - first_value), outputs);
    }
  });
  return sparse_gradient(torch::tensor(batch.columns, at::kLong), result, shape);
}

namespace {

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
    if (weight.device().is_cpu()) return sparse_forward({offsets, columns, values}, weight.detach());
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
      result = sparse_weight_gradient(x, gradient, shape);
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
