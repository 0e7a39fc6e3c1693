// Random tensors of a batch. Every draw is keyed by (seed, stream, epoch, row, index): see core/random.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mlpac {

class Draws {
 public:
  Draws() = default;
  Draws(std::uint64_t seed, std::uint64_t epoch, std::vector<std::int64_t> rows, at::Device device)
      : seed_(seed), epoch_(epoch), rows_(std::move(rows)), device_(device) {}

  /// Uniform in [0, 1), float32, [rows x columns].
  at::Tensor uniform(std::string_view stream, std::int64_t columns) const;
  /// The same for several samples, [samples x rows x columns].
  at::Tensor uniform(std::string_view stream, std::int64_t samples, std::int64_t columns) const;
  /// The key of every row, for kernels that draw themselves: element t * columns + c of a row's sequence is the draw of
  /// sample t and column c.
  std::vector<std::uint64_t> keys(std::string_view stream) const;

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<std::int64_t> rows_;
  at::Device device_{at::kCPU};
};

/// The draws of `columns` elements of each key, from `first` on: on the host, and with integer tensor operations on any
/// device; both give the same bits.
at::Tensor uniform_on_host(std::span<const std::uint64_t> keys, std::int64_t first, std::int64_t columns);
at::Tensor uniform_on_device(const at::Tensor& keys, std::int64_t first, std::int64_t columns);

/// Fills a tensor with uniform draws from [-bound, bound); element i is a function of (key, i) alone.
void fill_uniform(at::Tensor tensor, std::uint64_t key, double bound);
/// The same with normal draws of mean 0.
void fill_normal(at::Tensor tensor, std::uint64_t key, double deviation);

}  // namespace mlpac
