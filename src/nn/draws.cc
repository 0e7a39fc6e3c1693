#include "nn/draws.h"

#include "core/random.h"
#include "nn/upload.h"

namespace mlpac {

namespace {

/// Logical right shift of int64 (tensors have only the arithmetic one).
at::Tensor shift_right(const at::Tensor& x, std::int64_t bits) {
  const auto mask = static_cast<std::int64_t>(~std::uint64_t{0} >> bits);
  return at::bitwise_and(x.bitwise_right_shift(bits), mask);
}

std::int64_t as_signed(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

}  // namespace

at::Tensor uniform_on_host(std::span<const std::uint64_t> keys, std::int64_t first, std::int64_t columns) {
  auto result = at::empty({static_cast<std::int64_t>(keys.size()), columns}, at::kFloat);
  auto* out = result.data_ptr<float>();
  for (const std::uint64_t key : keys) {
    const std::uint64_t base = key + static_cast<std::uint64_t>(first) * kGolden;
    for (std::int64_t i = 0; i < columns; ++i) out[i] = unit_float(bits_at(base, static_cast<std::uint64_t>(i)));
    out += columns;
  }
  return result;
}

at::Tensor uniform_on_device(const at::Tensor& keys, std::int64_t first, std::int64_t columns) {
  const auto index = at::arange(first + 1, first + columns + 1, keys.options());
  auto z = keys.unsqueeze(1) + index * as_signed(kGolden);  // int64 arithmetic wraps around as uint64 does
  z = at::bitwise_xor(z, shift_right(z, 30)) * as_signed(0xBF58476D1CE4E5B9ULL);
  z = at::bitwise_xor(z, shift_right(z, 27)) * as_signed(0x94D049BB133111EBULL);
  z = at::bitwise_xor(z, shift_right(z, 31));
  return shift_right(z, 40).to(at::kFloat) * 0x1p-24F;
}

at::Tensor Draws::uniform(std::string_view stream, std::int64_t columns) const {
  return uniform(stream, 1, columns).squeeze(0);
}

std::vector<std::uint64_t> Draws::keys(std::string_view stream) const {
  const std::uint64_t key = stream_key(seed_, stream);
  std::vector<std::uint64_t> result;
  result.reserve(rows_.size());
  for (const std::int64_t row : rows_) result.push_back(row_key(key, epoch_, static_cast<std::uint64_t>(row)));
  return result;
}

at::Tensor Draws::uniform(std::string_view stream, std::int64_t samples, std::int64_t columns) const {
  auto row_keys = keys(stream);
  at::Tensor flat;
  if (device_.is_cpu()) {
    flat = uniform_on_host(row_keys, 0, samples * columns);
  } else {
    const auto count = static_cast<std::int64_t>(row_keys.size());
    flat =
        uniform_on_device(upload(torch::from_blob(row_keys.data(), {count}, at::kLong), device_), 0, samples * columns);
  }
  return flat.view({-1, samples, columns}).transpose(0, 1);
}

void fill_uniform(at::Tensor tensor, std::uint64_t key, double bound) {
  const at::NoGradGuard no_grad;
  const std::array<std::uint64_t, 1> keys{key};
  auto values = uniform_on_host(keys, 0, tensor.numel()).view(tensor.sizes());
  tensor.copy_(values.mul_(2).sub_(1).mul_(bound));
}

void fill_normal(at::Tensor tensor, std::uint64_t key, double deviation) {
  const at::NoGradGuard no_grad;
  const std::array<std::uint64_t, 1> keys{key};
  const auto draws = uniform_on_host(keys, 0, 2 * tensor.numel()).to(at::kDouble).view({2, -1});
  constexpr double kTurn = 6.283185307179586;
  const auto radius = (-2 * (1 - draws[0]).log()).sqrt();  // Box-Muller; draws are below 1
  tensor.copy_((deviation * radius * (kTurn * draws[1]).cos()).view(tensor.sizes()));
}

}  // namespace mlpac
