#include "nn/keyed_dropout.h"

#include <ATen/CPUGeneratorImpl.h>

#include "core/random.h"

namespace mlpac {

KeyedDropout::KeyedDropout(std::uint64_t key, at::Device device) : own_(device.is_cpu()) {
  if (own_) {
    generator_ = at::detail::createCPUGenerator(key);
    return;
  }
  generator_ = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator_.mutex());
  generator_.set_current_seed(key);
}

at::Tensor KeyedDropout::operator()(const at::Tensor& x, double probability) {
  if (probability <= 0) return x;
  if (!own_) return at::dropout(x, probability, true);
  const auto mask = at::empty(x.sizes(), x.options().requires_grad(false)).bernoulli_(1 - probability, generator_);
  return x * mask.div_(1 - probability);
}

std::uint64_t dropout_key(const Batch& batch, const std::string& stream) {
  std::uint64_t key = stream_key(0, stream);
  for (const std::uint64_t own : batch.draws.keys("dropout." + stream)) key = mix64(key ^ own);
  return key;
}

}  // namespace mlpac
