// Pools and the ends of residual blocks: kernels in bfloat16 give what tensors in float32 on the CPU do.
#include <gtest/gtest.h>

#include <functional>

#include "nn/gated_sum.h"
#include "nn/pools.h"

namespace mlpac {
namespace {

using Tensors = std::vector<at::Tensor>;

class CudaImages : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    torch::manual_seed(11);
  }
};

at::Tensor image(at::IntArrayRef sizes) {
  return torch::randn(sizes).to(at::kBFloat16).contiguous(at::MemoryFormat::ChannelsLast);
}

/// Output and gradients of `function` of images on one device; parameters it has are moved by itself.
Tensors results(const Tensors& images, at::Device device, const std::function<at::Tensor(const Tensors&)>& function) {
  Tensors inputs;
  for (const auto& x : images) {
    inputs.push_back(x.to(device, device.is_cpu() ? at::kFloat : at::kBFloat16)
                         .contiguous(at::MemoryFormat::ChannelsLast)
                         .requires_grad_());
  }
  const auto y = function(inputs);
  torch::manual_seed(5);
  y.backward(torch::randn(y.sizes()).to(at::kBFloat16).to(y));
  Tensors found{y};
  for (const auto& x : inputs) found.push_back(x.grad());
  for (auto& tensor : found) tensor = tensor.detach().cpu().to(at::kFloat);
  return found;
}

void expect_near(const Tensors& expected, const Tensors& actual, const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].sizes(), actual[i].sizes()) << what << ' ' << i;
    const auto error = (expected[i] - actual[i]).abs().max().item<double>();
    EXPECT_LT(error, 0.01 * expected[i].abs().max().item<double>() + 1e-3) << what << ' ' << i;
  }
}

TEST_F(CudaImages, PoolsEqualTheCpus) {
  for (const std::int64_t channels : {8, 64, 2048}) {
    for (const auto& [height, width] : {std::pair{2, 2}, {3, 2}, {2, 5}, {7, 9}, {14, 56}}) {
      const auto x = image({3, channels, height, width});
      const auto what = std::to_string(channels) + ' ' + std::to_string(height) + ' ' + std::to_string(width);
      const auto blur = [](const Tensors& inputs) { return blur_pool(inputs[0]); };
      const auto average = [](const Tensors& inputs) { return average_pool(inputs[0]); };
      expect_near(results({x}, at::kCPU, blur), results({x}, at::kCUDA, blur), "blur " + what);
      expect_near(results({x}, at::kCPU, average), results({x}, at::kCUDA, average), "average " + what);
    }
  }
}

TEST_F(CudaImages, EndsOfResidualBlocksEqualTheCpus) {
  for (const std::int64_t channels : {8, 72, 2048}) {
    for (const bool gated : {false, true}) {
      for (const bool summed : {false, true}) {
        if (!gated && !summed) continue;
        const auto y = image({5, channels, 9, 14});
        const auto shortcut = image({5, channels, 9, 14});
        Gate gate;
        if (gated) {
          gate.reduce = torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 24, 1));
          gate.expand = torch::nn::Conv2d(torch::nn::Conv2dOptions(24, channels, 1));
        }
        const auto run = [&](at::Device device) {
          for (auto* const layer : {&gate.reduce, &gate.expand}) {
            if (!gated) continue;
            (*layer)->to(device);
            (*layer)->zero_grad(/*set_to_none=*/true);
          }
          auto found = results({y, shortcut}, device, [&](const Tensors& inputs) {
            // Without a sum the second input still has a gradient: it is added afterwards.
            return summed ? gated_sum(inputs[0], gate, inputs[1]) : gated_sum(inputs[0], gate, {}) + inputs[1];
          });
          for (auto* const layer : {&gate.reduce, &gate.expand}) {
            if (!gated) continue;
            for (const auto& parameter : (*layer)->parameters()) found.push_back(parameter.grad().cpu().clone());
          }
          return found;
        };
        const auto expected = run(at::kCPU);
        expect_near(expected, run(at::kCUDA),
                    std::to_string(channels) + (gated ? " gated" : "") + (summed ? " summed" : ""));
      }
    }
  }
}

}  // namespace
}  // namespace mlpac
