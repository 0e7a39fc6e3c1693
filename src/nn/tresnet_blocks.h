// The parts of TResNet, named and nested as in the official code (whose Sequentials number their members).
#pragma once

#include "nn/torch.h"

namespace mlpac {

/// A convolution without bias, then activated batch norm: scale |weight| + eps (as the in-place version the official
/// weights were trained with), then a leaky ReLU of the given slope; slope 1: none.
class ConvolutionNorm : public torch::nn::Module {
 public:
  ConvolutionNorm(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, double slope);
  at::Tensor forward(const at::Tensor& x);

 private:
  class Norm;
  torch::nn::Conv2d convolution_{nullptr};
  std::shared_ptr<Norm> norm_;
  double slope_;
};

/// 4 x 4 pixels become 16 times as many channels, ordered by row, column, channel.
at::Tensor space_to_depth(const at::Tensor& images);

struct BlockShape {
  std::int64_t inputs;
  std::int64_t planes;
  bool shrinks;   ///< half the width and height
  bool squeezes;  ///< squeeze and excitation
};

/// A residual block: two 3 x 3 convolutions, or a bottleneck of 1 x 1, 3 x 3, 1 x 1 with four times as many outputs.
class ResidualBlock : public torch::nn::Module {
 public:
  ResidualBlock(const BlockShape& shape, bool bottleneck);
  at::Tensor forward(const at::Tensor& x);

  static constexpr std::int64_t kExpansion = 4;  // of a bottleneck

 private:
  class Squeeze;  // squeeze and excitation
  /// Registers a convolution, one level deeper if blurring follows it.
  std::shared_ptr<ConvolutionNorm> add(const std::string& name, std::shared_ptr<ConvolutionNorm> layer, bool nested);

  bool bottleneck_;
  bool shrinks_;
  std::vector<std::shared_ptr<ConvolutionNorm>> layers_;
  std::shared_ptr<Squeeze> squeeze_;           ///< null: none
  std::shared_ptr<ConvolutionNorm> shortcut_;  ///< null: the input itself
};

}  // namespace mlpac
