#include "nn/resnet.h"

#include <fmt/format.h>

#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/batch_norm.h"
#include "nn/gated_sum.h"
#include "nn/graphed.h"

namespace mlpac {

namespace {

constexpr std::int64_t kStages = 4;
constexpr std::int64_t kExpansion = 4;  // of a bottleneck

torch::nn::Conv2d convolution(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, std::int64_t stride) {
  auto layer = torch::nn::Conv2d(
      torch::nn::Conv2dOptions(inputs, outputs, kernel).stride(stride).padding(kernel / 2).bias(false));
  layer->weight.set_data(layer->weight.contiguous(at::MemoryFormat::ChannelsLast));
  return layer;
}

/// A convolution and the batch norm after it; they are registered with whom they belong to.
struct Normed {
  torch::nn::Conv2d convolution{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};

  at::Tensor operator()(const at::Tensor& x) { return normed_convolution(*convolution, *norm, x, /*slope=*/1); }
  at::Tensor relu(const at::Tensor& x) { return normed_convolution(*convolution, *norm, x, /*slope=*/0); }
};

/// The shortcut of a block whose output has another shape: members 0 and 1 of a Sequential.
class Shortcut : public torch::nn::Module {
 public:
  Shortcut(std::int64_t inputs, std::int64_t outputs, std::int64_t stride)
      : layer_{register_module("0", convolution(inputs, outputs, 1, stride)),
               register_module("1", torch::nn::BatchNorm2d(outputs))} {}
  at::Tensor forward(const at::Tensor& x) { return layer_(x); }

 private:
  Normed layer_;
};

/// Two 3 x 3 convolutions, or a bottleneck of 1 x 1, 3 x 3 (which has the stride) and 1 x 1.
class Block : public torch::nn::Module {
 public:
  Block(std::int64_t inputs, std::int64_t planes, std::int64_t stride, bool bottleneck) {
    const auto outputs = bottleneck ? planes * kExpansion : planes;
    if (bottleneck) {
      add(inputs, planes, 1, 1);
      add(planes, planes, 3, stride);
      add(planes, outputs, 1, 1);
    } else {
      add(inputs, planes, 3, stride);
      add(planes, planes, 3, 1);
    }
    if (stride != 1 || inputs != outputs) {
      shortcut_ = register_module("downsample", std::make_shared<Shortcut>(inputs, outputs, stride));
    }
  }

  at::Tensor forward(const at::Tensor& x) {
    auto y = layers_.front().relu(x);
    for (std::size_t i = 1; i + 1 < layers_.size(); ++i) y = layers_[i].relu(y);
    y = layers_.back()(y);
    return gated_sum(y, {}, shortcut_ ? shortcut_->forward(x) : x);
  }

 private:
  void add(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, std::int64_t stride) {
    const auto number = layers_.size() + 1;
    auto layer = register_module(fmt::format("conv{}", number), convolution(inputs, outputs, kernel, stride));
    layers_.push_back({layer, register_module(fmt::format("bn{}", number), torch::nn::BatchNorm2d(outputs))});
  }

  std::vector<Normed> layers_;
  std::shared_ptr<Shortcut> shortcut_;  ///< null: the input itself
};

class ResNet : public Network {
 public:
  ResNet(const nlohmann::json& architecture, const std::vector<std::int64_t>& usual, bool bottleneck)
      : pooled_(architecture.value("stem", std::string("standard")) == "standard") {
    const auto layers = architecture.value("layers", usual);
    if (layers.size() != kStages) throw UsageError("ResNet: expected the number of blocks of four stages");
    const auto base = static_cast<std::int64_t>(64 * architecture.value("width", 1.0));
    const auto step = architecture.value("stem", std::string()) == "half" ? 2 : 1;
    auto stem = register_module("conv1", pooled_ ? convolution(3, base, 7, 2) : convolution(3, base, 3, step));
    stem_ = {stem, register_module("bn1", torch::nn::BatchNorm2d(base))};
    auto channels = base;
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
      const auto planes = base << stage;
      auto blocks = torch::nn::ModuleList();
      for (std::int64_t i = 0; i < layers[static_cast<std::size_t>(stage)]; ++i) {
        blocks_.push_back(std::make_shared<Block>(channels, planes, stage > 0 && i == 0 ? 2 : 1, bottleneck));
        blocks->push_back(blocks_.back());
        channels = bottleneck ? planes * kExpansion : planes;
      }
      register_module(fmt::format("layer{}", stage + 1), blocks);
    }
    const auto outputs = architecture.at("outputs").get<std::int64_t>();
    head_ = register_module("fc", torch::nn::Linear(torch::nn::LinearOptions(channels, outputs)));
  }

  at::Tensor forward(const Batch& batch) override {
    return graphed_({batch.inputs.front()}, [this](const std::vector<at::Tensor>& inputs) {
      return std::vector<at::Tensor>{logits(inputs.front())};
    })[0];
  }

  std::string last_layer() const override { return "fc"; }

  void initialise(std::uint64_t seed) override {
    // As torchvision: Kaiming normal by fan-out for convolutions, batch norm 1 and 0, PyTorch's default for the head.
    const at::NoGradGuard no_grad;
    const double bound = 1 / std::sqrt(static_cast<double>(head_->weight.size(1)));
    for (const auto& item : named_parameters()) {
      auto value = item.value();
      const auto key = stream_key(seed, "init." + item.key());
      if (value.dim() == 4) {
        const auto fan_out = value.size(0) * value.size(2) * value.size(3);
        fill_normal(value, key, std::sqrt(2 / static_cast<double>(fan_out)));
      } else if (item.key().starts_with("fc.")) {
        fill_uniform(value, key, bound);
      } else {
        value.fill_(item.key().ends_with(".weight") ? 1 : 0);
      }
    }
    for (const auto& item : named_buffers()) {
      auto value = item.value();
      value.fill_(item.key().ends_with("running_var") ? 1 : 0);
    }
  }

 private:
  at::Tensor logits(const at::Tensor& images) {
    auto x = stem_.relu(images.contiguous(at::MemoryFormat::ChannelsLast));
    if (pooled_) x = at::max_pool2d(x, 3, 2, 1);
    for (const auto& block : blocks_) x = block->forward(x);
    return head_->forward(x.mean({2, 3}));
  }

  Graphed graphed_{*this};
  bool pooled_;  ///< after the stem, as for large images
  Normed stem_;
  std::vector<std::shared_ptr<Block>> blocks_;
  torch::nn::Linear head_{nullptr};
};

}  // namespace

std::shared_ptr<Network> create_resnet18(const nlohmann::json& architecture) {
  return std::make_shared<ResNet>(architecture, std::vector<std::int64_t>{2, 2, 2, 2}, false);
}

std::shared_ptr<Network> create_resnet50(const nlohmann::json& architecture) {
  return std::make_shared<ResNet>(architecture, std::vector<std::int64_t>{3, 4, 6, 3}, true);
}

}  // namespace mlpac
