#include "distributed/batch_share.h"

#include "nn/torch.h"

namespace mlpac {

namespace {

thread_local const BatchShare* current_share = nullptr;

struct Sum : torch::autograd::Function<Sum> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& part,
                            const BatchShare* share) {
    context->saved_data["group"] = reinterpret_cast<std::int64_t>(&share->group());
    context->saved_data["counts"] = share->counts();
    auto total = share->counts() ? part.clone(at::MemoryFormat::Contiguous) : at::zeros_like(part);
    share->group().sum(total);
    return total;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto& group = *reinterpret_cast<const Group*>(context->saved_data["group"].toInt());
    auto total = gradients[0].clone(at::MemoryFormat::Contiguous);
    group.sum(total);
    if (!context->saved_data["counts"].toBool()) total.zero_();
    return {total, at::Tensor()};
  }
};

}  // namespace

BatchShare::BatchShare(const Group& group, std::int64_t rows, bool counts)
    : group_(group), rows_(rows), counts_(counts), outer_(current_share) {
  current_share = group.alone() ? nullptr : this;
}

BatchShare::~BatchShare() { current_share = outer_; }

const BatchShare* BatchShare::current() { return current_share; }

at::Tensor over_batch(const at::Tensor& part) {
  return current_share == nullptr ? part : Sum::apply(part, current_share);
}

at::Tensor values_of_batch(const at::Tensor& own) {
  if (current_share == nullptr) return own;
  return current_share->group().gather(current_share->counts() ? own : own.slice(0, 0, 0));
}

std::int64_t rows_of_batch(std::int64_t rows) { return current_share == nullptr ? rows : current_share->rows(); }

}  // namespace mlpac
