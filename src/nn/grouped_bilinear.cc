#include "nn/grouped_bilinear.h"

#include <algorithm>

#include "nn/torch.h"

#ifdef MLPAC_CUDA_KERNELS
#include "kernels/outer_products.cuh"
#include "nn/cuda_queue.h"
#endif

namespace mlpac {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// [rows x groups x block]
at::Tensor grouped(const at::Tensor& rows, std::int64_t block) {
  return rows.reshape({rows.size(0), rows.size(1) / block, block});
}

#ifdef MLPAC_CUDA_KERNELS
/// What the kernels are written for.
bool fusible(const at::Tensor& rows, std::int64_t block) {
  return rows.is_cuda() && rows.scalar_type() == at::kBFloat16 && block == kernels::kOuterBlock;
}
#endif

/// [rows x groups block block]
at::Tensor products(const at::Tensor& first, const at::Tensor& second, std::int64_t block) {
#ifdef MLPAC_CUDA_KERNELS
  if (fusible(first, block)) {
    const auto result = at::empty({first.size(0), first.size(1) * block}, first.options());
    kernels::outer_products(first.numel() / block, first.data_ptr(), second.data_ptr(), result.data_ptr(),
                            queue_of(first));
    return result;
  }
#endif
  return (grouped(first, block).unsqueeze(3) * grouped(second, block).unsqueeze(2)).flatten(1);
}

/// Gradients of both factors from those of their products.
void add_up(const at::Tensor& inner, const at::Tensor& first, const at::Tensor& second, std::int64_t block,
            const at::Tensor& to_first, const at::Tensor& to_second) {
#ifdef MLPAC_CUDA_KERNELS
  if (fusible(first, block)) {
    kernels::outer_gradients(first.numel() / block, inner.data_ptr(), first.data_ptr(), second.data_ptr(),
                             to_first.data_ptr(), to_second.data_ptr(), queue_of(first));
    return;
  }
#endif
  const auto matrices = inner.view({first.size(0), first.size(1) / block, block, block});
  to_first.copy_(at::matmul(matrices, grouped(second, block).unsqueeze(3)).flatten(1));
  to_second.copy_(at::matmul(matrices.transpose(2, 3), grouped(first, block).unsqueeze(3)).flatten(1));
}

/// Rows whose products fit into so many bytes.
std::int64_t part_of(const at::Tensor& weight, std::int64_t bytes) {
  return std::max<std::int64_t>(1, bytes / (weight.size(1) * static_cast<std::int64_t>(weight.element_size())));
}

class Products : public torch::autograd::Function<Products> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& first, const at::Tensor& second,
                            const at::Tensor& weight, std::int64_t block, std::int64_t bytes) {
    context->save_for_backward({first, second, weight});
    context->saved_data["block"] = block;
    context->saved_data["bytes"] = bytes;
    const auto result = at::empty({first.size(0), weight.size(0)}, first.options());
    const auto step = part_of(weight, bytes);
    for (std::int64_t i = 0; i < first.size(0); i += step) {
      const auto end = std::min(i + step, first.size(0));
      auto part = result.slice(0, i, end);
      at::mm_out(part, products(first.slice(0, i, end), second.slice(0, i, end), block), weight.t());
    }
    return result;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& first = saved[0];
    const auto& second = saved[1];
    const auto& weight = saved[2];
    const auto block = context->saved_data["block"].toInt();
    const auto gradient = gradients[0].contiguous();
    const auto to_first = at::empty_like(first);
    const auto to_second = at::empty_like(second);
    // Parts are added up in at least single precision.
    auto to_weight =
        at::zeros_like(weight, weight.options().dtype(at::promote_types(weight.scalar_type(), at::kFloat)));
    const auto step = part_of(weight, context->saved_data["bytes"].toInt());
    for (std::int64_t i = 0; i < first.size(0); i += step) {
      const auto end = std::min(i + step, first.size(0));
      const auto a = first.slice(0, i, end);
      const auto b = second.slice(0, i, end);
      const auto g = gradient.slice(0, i, end);
      to_weight += at::mm(g.t(), products(a, b, block));
      add_up(at::mm(g, weight), a, b, block, to_first.slice(0, i, end), to_second.slice(0, i, end));
    }
    return {to_first, to_second, to_weight.to(weight.scalar_type()), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor grouped_bilinear(const at::Tensor& first, const at::Tensor& second, const at::Tensor& weight,
                            std::int64_t block, std::int64_t bytes) {
  const bool reduced = Autocast::active(first.device().type());
  if (!reduced) return Products::apply(first.to(weight), second.to(weight), weight, block, bytes);
  // Tensor cores want a multiple of 8 outputs.
  constexpr std::int64_t kStep = 8;
  const auto outputs = weight.size(0);
  const auto padded = at::constant_pad_nd(weight.to(at::kBFloat16), {0, 0, 0, (kStep - outputs % kStep) % kStep});
  return Products::apply(first.to(padded).contiguous(), second.to(padded).contiguous(), padded, block, bytes)
      .slice(1, 0, outputs);
}

}  // namespace mlpac
