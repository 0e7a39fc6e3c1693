#include "nn/cnn13.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/batch_norm.h"
#include "nn/graphed.h"

namespace mlpac {

namespace {

struct ConvolutionShape {
  std::int64_t channels;
  std::int64_t kernel;
  std::int64_t stride;
};

// Nine convolutions, each with batch norm and ReLU, then three linear layers: binary_pu of the papers' codes.
constexpr std::array<ConvolutionShape, 9> kConvolutions{
    {{96, 3, 1}, {96, 3, 1}, {96, 3, 2}, {192, 3, 1}, {192, 3, 1}, {192, 3, 2}, {192, 3, 1}, {192, 1, 1}, {10, 1, 1}}};
constexpr std::int64_t kHidden = 1000;
constexpr std::int64_t kShrink = 4;  // both strides together

class Cnn13 : public Network {
 public:
  explicit Cnn13(const nlohmann::json& architecture) {
    auto channels = architecture.at("channels").get<std::int64_t>();
    const auto size = architecture.at("size").get<std::int64_t>();
    if (size < 1) throw UsageError(fmt::format("cnn13: images of {} pixels a side, expected at least 1", size));
    for (std::size_t i = 0; i < kConvolutions.size(); ++i) {
      const auto& shape = kConvolutions[i];
      const auto options = torch::nn::Conv2dOptions(channels, shape.channels, shape.kernel)
                               .stride(shape.stride)
                               .padding(shape.kernel / 2);
      convolutions_.push_back(register_module(fmt::format("conv{}", i + 1), torch::nn::Conv2d(options)));
      norms_.push_back(register_module(fmt::format("bn{}", i + 1), torch::nn::BatchNorm2d(shape.channels)));
      channels = shape.channels;
    }
    const auto side = (size + kShrink - 1) / kShrink;
    auto inputs = channels * side * side;
    for (const auto outputs : {kHidden, kHidden, architecture.at("outputs").get<std::int64_t>()}) {
      const auto name = fmt::format("l{}", linear_.size() + 1);
      linear_.push_back(register_module(name, torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs))));
      inputs = outputs;
    }
    for (auto& convolution : convolutions_) {  // what vectorised and tensor-core kernels want
      convolution->weight.set_data(convolution->weight.contiguous(at::MemoryFormat::ChannelsLast));
    }
  }

  at::Tensor forward(const Batch& batch) override {
    return graphed_({batch.inputs.front()}, [this](const std::vector<at::Tensor>& inputs) {
      return std::vector<at::Tensor>{logits(inputs.front())};
    })[0];
  }

  std::string last_layer() const override { return fmt::format("l{}", linear_.size()); }

  void initialise(std::uint64_t seed) override {
    // He et al. 2015, fan-in, as Su's code; biases 0, batch norm as PyTorch has it.
    const at::NoGradGuard no_grad;
    const auto he_normal = [&](const std::string& name, at::Tensor weight) {
      const auto fan_in = static_cast<double>(weight.numel() / weight.size(0));
      fill_normal(weight, stream_key(seed, "init." + name + ".weight"), std::sqrt(2 / fan_in));
    };
    for (std::size_t i = 0; i < convolutions_.size(); ++i) {
      he_normal(fmt::format("conv{}", i + 1), convolutions_[i]->weight);
      convolutions_[i]->bias.zero_();
      norms_[i]->reset_parameters();
    }
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      he_normal(fmt::format("l{}", i + 1), linear_[i]->weight);
      linear_[i]->bias.zero_();
    }
  }

 private:
  at::Tensor logits(const at::Tensor& images) {
    auto x = images.contiguous(at::MemoryFormat::ChannelsLast);
    for (std::size_t i = 0; i < convolutions_.size(); ++i) {
      x = normed_convolution(*convolutions_[i], *norms_[i], x, /*slope=*/0);
    }
    x = x.contiguous().flatten(1);
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      x = linear_[i](x);
      if (i + 1 < linear_.size()) x = x.relu_();
    }
    return x;
  }

  Graphed graphed_{*this};
  std::vector<torch::nn::Conv2d> convolutions_;
  std::vector<torch::nn::BatchNorm2d> norms_;
  std::vector<torch::nn::Linear> linear_;
};

}  // namespace

std::shared_ptr<Network> create_cnn13(const nlohmann::json& architecture) {
  return std::make_shared<Cnn13>(architecture);
}

}  // namespace mlpac
