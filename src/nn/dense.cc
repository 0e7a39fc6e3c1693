#include "nn/dense.h"

#include <fmt/format.h>

#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// inputs ─▶ [linear ─▶ ReLU ─▶ dropout] per width ─▶ linear ─▶ logits; without widths it is the linear network.
class Dense : public Network {
 public:
  Dense(const nlohmann::json& architecture, std::vector<std::int64_t> widths) {
    dropout_ = architecture.value("dropout", 0.0);
    widths.push_back(architecture.at("outputs").get<std::int64_t>());
    auto inputs = architecture.at("inputs").get<std::int64_t>();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      layers_.push_back(
          register_module(fmt::format("layer{}", i), torch::nn::Linear(torch::nn::LinearOptions(inputs, widths[i]))));
      inputs = widths[i];
    }
  }

  at::Tensor forward(const Batch& batch) override {
    auto x = batch.inputs.front();
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      x = at::linear(x, layers_[i]->weight, layers_[i]->bias);
      if (i + 1 == layers_.size()) break;
      x = at::relu(x);
      if (is_training() && dropout_ > 0) {
        const auto draws = batch.draws.uniform(fmt::format("dropout.{}.{}", stream, i), x.size(1));
        x = x * (draws >= dropout_).to(x.dtype()) / (1 - dropout_);
      }
    }
    return x;
  }

  void initialise(std::uint64_t seed) override {
    // PyTorch's default for linear layers: uniform within 1/sqrt(fan-in), weights and biases.
    for (const auto& item : named_parameters()) {
      const auto layer = item.key().substr(0, item.key().find('.'));
      const auto inputs = named_modules()[layer]->as<torch::nn::LinearImpl>()->options.in_features();
      fill_uniform(item.value(), stream_key(seed, "init." + item.key()), 1 / std::sqrt(static_cast<double>(inputs)));
    }
  }

 private:
  double dropout_ = 0;
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
