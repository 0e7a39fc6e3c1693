#include "distributed/gradient_sum.h"

#include <torch/csrc/autograd/utils/lambda_post_hook.h>

#include <limits>
#include <utility>

#include "nn/torch.h"

namespace mlpac {

namespace {

using torch::autograd::variable_list;

constexpr auto kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

GradientSum::GradientSum(const Group& group, std::vector<at::Tensor> parameters)
    : group_(group), parameters_(std::move(parameters)), bucket_of_(parameters_.size(), kNone) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].requires_grad()) continue;
    // The node is kept: a parameter only refers to it weakly, and would get another one without the hook.
    const auto node = torch::autograd::impl::grad_accumulator(parameters_[i]);
    const auto key = node->add_post_hook(std::make_unique<torch::autograd::utils::LambdaPostHook>(
        [this, i](const variable_list& outputs, const variable_list& /*inputs*/) {
          on_gradient(i);
          return outputs;
        }));
    hooks_.push_back({node, key});
  }
}

GradientSum::~GradientSum() {
  for (const auto& hook : hooks_) hook.node->del_post_hook(hook.key);
}

void GradientSum::fill_buckets() {
  // What is sparse in one process is sparse in all; one without rows of its own computes one, too.
  std::int64_t size = 0;
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    const auto& parameter = parameters_[i];
    if (!parameter.requires_grad()) continue;
    if (parameter.grad().defined() && parameter.grad().is_sparse()) {
      sparse_.push_back(i);
      continue;
    }
    const auto bytes = parameter.numel() * static_cast<std::int64_t>(sizeof(float));
    if (buckets_.empty() || size + bytes > kBucketBytes) {
      buckets_.emplace_back();
      size = 0;
    }
    buckets_.back().parameters.push_back(i);
    bucket_of_[i] = buckets_.size() - 1;
    size += bytes;
  }
  for (auto& bucket : buckets_) {
    std::int64_t numbers = static_cast<std::int64_t>(bucket.parameters.size());
    for (const auto i : bucket.parameters) numbers += parameters_[i].numel();
    const auto& like = parameters_[bucket.parameters.front()];
    bucket.flat = at::zeros({numbers}, like.options().dtype(at::kFloat).requires_grad(false));
    std::int64_t first = 0;
    for (const auto i : bucket.parameters) {
      const auto& parameter = parameters_[i];
      bucket.views.push_back(bucket.flat.narrow(0, first, parameter.numel()).view(parameter.sizes()));
      first += parameter.numel();
    }
  }
}

void GradientSum::begin() {
  active_ = !buckets_.empty();
  sent_ = 0;
  for (auto& bucket : buckets_) bucket.ready = 0;
}

void GradientSum::on_gradient(std::size_t parameter) {
  if (!active_ || bucket_of_[parameter] == kNone) return;
  ++buckets_[bucket_of_[parameter]].ready;
  send_ready();
}

void GradientSum::send_ready() {
  while (sent_ < buckets_.size() && buckets_[sent_].ready == buckets_[sent_].parameters.size()) send(buckets_[sent_++]);
}

void GradientSum::send(Bucket& bucket) {
  const at::NoGradGuard no_grad;
  const auto count = static_cast<std::int64_t>(bucket.parameters.size());
  auto marks = at::zeros({count}, at::kFloat);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto& gradient = parameters_[bucket.parameters[static_cast<std::size_t>(i)]].grad();
    auto& view = bucket.views[static_cast<std::size_t>(i)];
    if (gradient.defined()) {
      view.copy_(gradient);
      marks[i] = 1;
    } else {
      view.zero_();
    }
  }
  bucket.flat.narrow(0, bucket.flat.numel() - count, count).copy_(marks);
  bucket.sum = group_.begin_sum(bucket.flat);
}

void GradientSum::receive(Bucket& bucket) {
  bucket.sum.wait();
  const auto count = static_cast<std::int64_t>(bucket.parameters.size());
  bool missing = false;  // whether somebody has a gradient matters only where this process has none
  for (const auto i : bucket.parameters) missing = missing || !parameters_[i].grad().defined();
  at::Tensor marks;
  if (missing) marks = bucket.flat.narrow(0, bucket.flat.numel() - count, count).to(at::kCPU);
  for (std::int64_t i = 0; i < count; ++i) {
    auto& parameter = parameters_[bucket.parameters[static_cast<std::size_t>(i)]];
    if (!parameter.grad().defined() && marks[i].item<float>() == 0) continue;
    parameter.mutable_grad() = bucket.views[static_cast<std::size_t>(i)].to(parameter.scalar_type());
  }
}

void GradientSum::sum_sparse(at::Tensor& parameter) const {
  const auto own = parameter.grad().coalesce();
  const auto index = group_.gather(own._indices().squeeze(0));
  const auto values = group_.gather(own._values());
  parameter.mutable_grad() = at::_sparse_coo_tensor_unsafe(index.unsqueeze(0), values, own.sizes()).coalesce();
}

void GradientSum::finish() {
  if (buckets_.empty() && sparse_.empty()) fill_buckets();
  active_ = false;
  while (sent_ < buckets_.size()) send(buckets_[sent_++]);
  for (const auto i : sparse_) sum_sparse(parameters_[i]);
  for (auto& bucket : buckets_) receive(bucket);
}

}  // namespace mlpac
