#include "nn/tresnet_blocks.h"

#include <algorithm>

#include "nn/batch_norm.h"
#include "nn/gated_sum.h"
#include "nn/pools.h"

namespace mlpac {

namespace {

constexpr double kEps = 1e-5;
constexpr double kMomentum = 0.1;
constexpr double kSlope = 1e-3;  // between the convolutions of a block
constexpr double kIdentity = 1;

/// A level of nesting that an official Sequential adds: its first member.
class Nested : public torch::nn::Module {
 public:
  Nested(const std::string& name, const std::shared_ptr<torch::nn::Module>& member) { register_module(name, member); }
};

torch::nn::Conv2d pointwise(std::int64_t inputs, std::int64_t outputs) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, outputs, 1));
}

}  // namespace

class ConvolutionNorm::Norm : public torch::nn::Module {
 public:
  explicit Norm(std::int64_t channels)
      : weight(register_parameter("weight", at::ones({channels}))),
        bias(register_parameter("bias", at::zeros({channels}))),
        running_mean(register_buffer("running_mean", at::zeros({channels}))),
        running_var(register_buffer("running_var", at::ones({channels}))),
        num_batches_tracked(register_buffer("num_batches_tracked", at::zeros({}, at::kLong))) {}

  at::Tensor weight, bias, running_mean, running_var, num_batches_tracked;
};

ConvolutionNorm::ConvolutionNorm(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, double slope)
    : convolution_(register_module(
          "0", torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, outputs, kernel).padding(kernel / 2).bias(false)))),
      norm_(register_module("1", std::make_shared<Norm>(outputs))),
      slope_(slope) {
  convolution_->weight.set_data(convolution_->weight.contiguous(at::MemoryFormat::ChannelsLast));
}

at::Tensor ConvolutionNorm::forward(const at::Tensor& x) {
  // Not abs(), whose gradient at 0 is 0: a residual branch that begins with nothing would stay that way.
  const auto scale = at::where(norm_->weight < 0, -norm_->weight, norm_->weight) + kEps;
  if (is_training()) norm_->num_batches_tracked += 1;
  return batch_norm(convolution_->forward(x), scale, norm_->bias,
                    {norm_->running_mean, norm_->running_var, is_training()}, {kMomentum, kEps, slope_});
}

at::Tensor space_to_depth(const at::Tensor& images) {
  constexpr std::int64_t kBlock = 4;
  const auto n = images.size(0);
  const auto c = images.size(1);
  const auto height = images.size(2) / kBlock;
  const auto width = images.size(3) / kBlock;
  const auto blocks = images.reshape({n, c, height, kBlock, width, kBlock});
  // The channels of a pixel side by side, as the convolution after it wants them.
  return blocks.permute({0, 2, 4, 3, 5, 1}).reshape({n, height, width, c * kBlock * kBlock}).permute({0, 3, 1, 2});
}

class ResidualBlock::Squeeze : public torch::nn::Module {
 public:
  Squeeze(std::int64_t channels, std::int64_t reduced)
      : gate{register_module("fc1", pointwise(channels, reduced)),
             register_module("fc2", pointwise(reduced, channels))} {}

  Gate gate;
};

ResidualBlock::ResidualBlock(const BlockShape& shape, bool bottleneck)
    : bottleneck_(bottleneck), shrinks_(shape.shrinks) {
  const auto outputs = bottleneck ? shape.planes * kExpansion : shape.planes;
  const auto layer = [](std::int64_t from, std::int64_t to, std::int64_t kernel, double slope) {
    return std::make_shared<ConvolutionNorm>(from, to, kernel, slope);
  };
  if (bottleneck) {
    layers_ = {add("conv1", layer(shape.inputs, shape.planes, 1, kSlope), false),
               add("conv2", layer(shape.planes, shape.planes, 3, kSlope), shape.shrinks),
               add("conv3", layer(shape.planes, outputs, 1, kIdentity), false)};
  } else {
    layers_ = {add("conv1", layer(shape.inputs, shape.planes, 3, kSlope), shape.shrinks),
               add("conv2", layer(shape.planes, shape.planes, 3, kIdentity), false)};
  }
  if (shape.squeezes) {
    constexpr std::int64_t kLeast = 64;
    const auto reduced = std::max(kLeast, bottleneck ? outputs / 8 : outputs / 4);
    squeeze_ = register_module("se", std::make_shared<Squeeze>(shape.planes, reduced));
  }
  if (shape.shrinks || shape.inputs != outputs) {
    shortcut_ = layer(shape.inputs, outputs, 1, kIdentity);
    // Before it stands the average pool, if there is one, which has no parameters.
    register_module("downsample", std::make_shared<Nested>(shape.shrinks ? "1" : "0", shortcut_));
  }
}

std::shared_ptr<ConvolutionNorm> ResidualBlock::add(const std::string& name, std::shared_ptr<ConvolutionNorm> layer,
                                                    bool nested) {
  if (nested) {
    register_module(name, std::make_shared<Nested>("0", layer));
  } else {
    register_module(name, layer);
  }
  return layer;
}

at::Tensor ResidualBlock::forward(const at::Tensor& x) {
  auto shortcut = x;
  if (shortcut_ && shrinks_) shortcut = average_pool(x);
  if (shortcut_) shortcut = shortcut_->forward(shortcut);
  const auto gate = squeeze_ ? squeeze_->gate : Gate();
  auto y = layers_[0]->forward(x);
  if (bottleneck_) y = layers_[1]->forward(y);
  if (shrinks_) y = blur_pool(y);
  if (bottleneck_ && squeeze_) y = gated_sum(y, gate, {});
  y = layers_.back()->forward(y);
  return gated_sum(y, bottleneck_ ? Gate() : gate, shortcut);
}

}  // namespace mlpac
