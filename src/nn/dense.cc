#include "nn/dense.h"

#include <fmt/format.h>

#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/fused_dense.h"
#include "nn/sparse_linear.h"

namespace mlpac {

namespace {

/// First layer of a network on sparse rows: weights [inputs x outputs], as PyTorch's EmbeddingBag (mode "sum") has
/// them, so that a column's weights lie together, and a bias.
class SparseLinearImpl : public torch::nn::Module {
 public:
  SparseLinearImpl(std::int64_t inputs, std::int64_t outputs)
      : weight(register_parameter("weight", at::zeros({inputs, outputs}))),
        bias(register_parameter("bias", at::zeros({outputs}))) {}

  at::Tensor weight;
  at::Tensor bias;
};
TORCH_MODULE(SparseLinear);

/// inputs ─▶ [linear ─▶ ReLU ─▶ dropout] per width ─▶ linear ─▶ logits; without widths it is the linear network.
class Dense : public Network {
 public:
  Dense(const nlohmann::json& architecture, std::vector<std::int64_t> widths) {
    dropout_ = architecture.value("dropout", 0.0);
    widths.push_back(architecture.at("outputs").get<std::int64_t>());
    auto inputs = architecture.at("inputs").get<std::int64_t>();
    for (const auto width : widths) {
      const auto name = fmt::format("layer{}", fan_in_.size());
      if (fan_in_.empty() && architecture.value("sparse", false)) {
        sparse_ = register_module(name, SparseLinear(inputs, width));
      } else {
        layers_.push_back(register_module(name, torch::nn::Linear(torch::nn::LinearOptions(inputs, width))));
      }
      fan_in_.push_back(inputs);
      inputs = width;
    }
  }

  at::Tensor forward(const Batch& batch) override {
    DenseLayers layers{batch.inputs, {}, {}};
    if (sparse_) layers.parameters = {sparse_->weight, sparse_->bias};
    for (const auto& layer : layers_) {
      layers.parameters.push_back(layer->weight);
      layers.parameters.push_back(layer->bias);
    }
    if (is_training() && dropout_ > 0) {
      layers.dropout_scale = 1 / (1 - dropout_);
      for (std::size_t i = 0; i + 1 < fan_in_.size(); ++i) {
        layers.dropout.push_back(dropout_factors(batch, i, fan_in_[i + 1]) * layers.dropout_scale);
      }
    }
    return can_fuse(layers) ? fused_dense(layers) : layer_by_layer(layers);
  }

  std::string last_layer() const override { return fmt::format("layer{}", fan_in_.size() - 1); }

  void initialise(std::uint64_t seed) override {
    // PyTorch's default for linear layers: uniform within 1/sqrt(fan-in), weights and biases.
    for (std::size_t i = 0; i < fan_in_.size(); ++i) {
      for (const auto* const part : {"weight", "bias"}) {
        const auto name = fmt::format("layer{}.{}", i, part);
        fill_uniform(named_parameters()[name], stream_key(seed, "init." + name),
                     1 / std::sqrt(static_cast<double>(fan_in_[i])));
      }
    }
  }

 private:
  at::Tensor dropout_factors(const Batch& batch, std::size_t layer, std::int64_t width) const {
    const auto draws = batch.draws.uniform(fmt::format("dropout.{}.{}", stream, layer), width);
    return (draws >= dropout_).to(at::kFloat);
  }

  at::Tensor layer_by_layer(const DenseLayers& layers) const {
    at::Tensor x = layers.inputs.front();
    for (std::size_t i = 0; i < layers.count(); ++i) {
      const auto& weight = layers.parameters[2 * i];
      const auto& bias = layers.parameters[2 * i + 1];
      if (i == 0 && layers.sparse()) {
        x = sparse_product({layers.inputs[0], layers.inputs[1], layers.inputs[2]}, weight) + bias;
      } else {
        x = at::linear(x, weight, bias);
      }
      if (i + 1 < layers.count()) x = at::relu(x);
      if (i < layers.dropout.size()) x = x * layers.dropout[i].to(x.dtype());
    }
    return x;
  }

  double dropout_ = 0;
  std::vector<std::int64_t> fan_in_;  ///< of every layer
  SparseLinear sparse_{nullptr};      ///< the first layer, if rows are sparse
  std::vector<torch::nn::Linear> layers_;
};

}  // namespace

std::shared_ptr<Network> create_linear(const nlohmann::json& architecture) {
  return std::make_shared<Dense>(architecture, std::vector<std::int64_t>{});
}

std::shared_ptr<Network> create_mlp(const nlohmann::json& architecture) {
  const auto widths = architecture.at("widths").get<std::vector<std::int64_t>>();
  for (const auto width : widths) {
    if (width < 1) throw UsageError(fmt::format("--widths: expected numbers of at least 1, got {}", width));
  }
  return std::make_shared<Dense>(architecture, widths);
}

}  // namespace mlpac
