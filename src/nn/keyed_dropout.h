// Dropout of networks that drop too many values to draw each by its own key: one key per forward pass.
#pragma once

#include <cstdint>

#include "nn/network.h"

namespace mlpac {

/// Masks are a function of the key and of how many were drawn before. On the CPU the generator is our own, because
/// learners may take their steps at once; on a GPU, where they do not, it is the device's, which its fused kernels use.
class KeyedDropout {
 public:
  KeyedDropout(std::uint64_t key, at::Device device);

  at::Tensor operator()(const at::Tensor& x, double probability);

 private:
  at::Generator generator_;
  bool own_;
};

/// The key of a forward pass: of the rows of the batch, the epoch, the seed and the network's stream.
std::uint64_t dropout_key(const Batch& batch, const std::string& stream);

}  // namespace mlpac
