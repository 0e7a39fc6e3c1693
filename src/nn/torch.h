// LibTorch, and everything that differs between the versions we build against (1.13 on Debian 12, 2.x with CUDA).
#pragma once

#include <torch/torch.h>
#include <torch/version.h>
//
#include <ATen/autocast_mode.h>

#include <cmath>

#define MLPAC_TORCH_2 (TORCH_VERSION_MAJOR >= 2)

namespace mlpac {

/// Convolutions on a GPU give the same bits in every run: neither atomic sums nor algorithms chosen by a stopwatch.
inline void make_convolutions_repeatable() {
  at::globalContext().setDeterministicCuDNN(true);
  at::globalContext().setBenchmarkCuDNN(false);
}

/// bfloat16 autocast for the lifetime of the object, if `on`.
class Autocast {
 public:
  Autocast(bool on, at::DeviceType device) : on_(on), device_(device) {
    if (!on_) return;
#if MLPAC_TORCH_2
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, at::kBFloat16);
#else
    if (device_ == at::kCUDA) {
      at::autocast::set_enabled(true);
      at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
    } else {
      at::autocast::set_cpu_enabled(true);
      at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    }
#endif
    at::autocast::increment_nesting();
  }
  static bool active(at::DeviceType device) {
#if MLPAC_TORCH_2
    return at::autocast::is_autocast_enabled(device);
#else
    return device == at::kCUDA ? at::autocast::is_enabled() : at::autocast::is_cpu_enabled();
#endif
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;
  ~Autocast() {
    if (!on_) return;
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
#if MLPAC_TORCH_2
    at::autocast::set_autocast_enabled(device_, false);
#else
    device_ == at::kCUDA ? at::autocast::set_enabled(false) : at::autocast::set_cpu_enabled(false);
#endif
  }

 private:
  bool on_;
  at::DeviceType device_;
};

/// Attention whose probabilities nobody else needs: softmax(q k^T / sqrt(width) + bias) v, all [.. x heads x length x
/// width]. LibTorch 2 computes it in one kernel.
inline at::Tensor fused_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& bias,
                                  double dropout) {
#if MLPAC_TORCH_2
  return at::scaled_dot_product_attention(q, k, v, bias.to(q.scalar_type()).expand({-1, -1, q.size(2), -1}), dropout);
#else
  const auto logits = at::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(-1)));
  return at::matmul(at::dropout((logits + bias).softmax(-1), dropout, dropout > 0), v);
#endif
}

}  // namespace mlpac
