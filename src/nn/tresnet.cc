#include "nn/tresnet.h"

#include <fmt/format.h>

#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/tresnet_blocks.h"

namespace mlpac {

namespace {

constexpr std::int64_t kBlockPixels = 4;  // a side of what becomes one position of the stem
constexpr double kStemSlope = 1e-2;
constexpr std::int64_t kStages = 4;

std::string stage_name(std::int64_t stage) { return fmt::format("layer{}", stage + 1); }

}  // namespace

TResNet::TResNet(const nlohmann::json& architecture) {
  const auto size = architecture.at("size").get<std::int64_t>();
  constexpr std::int64_t kLeast = 20;  // a blur needs two pixels to reflect, also in the last stage
  if (size < kLeast || size % kBlockPixels != 0) {
    throw UsageError(fmt::format("TResNet: images of {} pixels a side, expected a multiple of {} of at least {}", size,
                                 kBlockPixels, kLeast));
  }
  const auto layers = architecture.value("layers", std::vector<std::int64_t>{3, 4, 11, 3});
  if (layers.size() != kStages) throw UsageError("TResNet: expected the number of blocks of four stages");
  const auto base = static_cast<std::int64_t>(64 * architecture.value("width", 1.0));
  constexpr std::int64_t kStemChannels = 3 * kBlockPixels * kBlockPixels;

  torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> stages;
  stages.insert("conv1", std::make_shared<ConvolutionNorm>(kStemChannels, base, 3, kStemSlope));
  auto channels = base;
  for (std::int64_t stage = 0; stage < kStages; ++stage) {
    const bool bottleneck = stage >= 2;
    const bool squeezes = stage < 3;
    const auto planes = base << stage;
    auto blocks = torch::nn::ModuleList();
    for (std::int64_t i = 0; i < layers[static_cast<std::size_t>(stage)]; ++i) {
      const BlockShape shape{channels, planes, stage > 0 && i == 0, squeezes};
      blocks->push_back(std::make_shared<ResidualBlock>(shape, bottleneck));
      channels = bottleneck ? planes * ResidualBlock::kExpansion : planes;
    }
    stages.insert(stage_name(stage), blocks.ptr());
  }
  body_ = register_module("body", torch::nn::ModuleDict(stages));
  const auto outputs = architecture.at("outputs").get<std::int64_t>();
  torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> head;
  head_ = torch::nn::Linear(torch::nn::LinearOptions(channels, outputs));
  head.insert("fc", head_.ptr());
  register_module("head", torch::nn::ModuleDict(head));
}

at::Tensor TResNet::embed(const at::Tensor& images, const Visit& visit) {
  const auto show = [&](const std::string& stage, const at::Tensor& output) {
    if (visit) visit(stage, output);
  };
  auto x = space_to_depth(images).contiguous(at::MemoryFormat::ChannelsLast);
  show("SpaceToDepth", x);
  x = std::dynamic_pointer_cast<ConvolutionNorm>(body_["conv1"])->forward(x);
  show("conv1", x);
  for (std::int64_t stage = 0; stage < kStages; ++stage) {
    const auto name = stage_name(stage);
    for (const auto& block : *std::dynamic_pointer_cast<torch::nn::ModuleListImpl>(body_[name])) {
      x = std::dynamic_pointer_cast<ResidualBlock>(block)->forward(x);
    }
    show(name, x);
  }
  return x.mean({2, 3});
}

at::Tensor TResNet::forward(const Batch& batch) {
  return graphed_({batch.inputs.front()}, [this](const std::vector<at::Tensor>& inputs) {
    return std::vector<at::Tensor>{head_->forward(embed(inputs.front()))};
  })[0];
}

void TResNet::initialise(std::uint64_t seed) {
  // As the official code: Kaiming by fan-out for convolutions, PyTorch's default for biases, and residual branches that
  // begin with nothing.
  const at::NoGradGuard no_grad;
  for (const auto& item : named_parameters()) {
    const auto& name = item.key();
    auto value = item.value();
    const auto key = stream_key(seed, "init." + name);
    const bool in_body = name.starts_with("body.");
    if (value.dim() == 4) {
      const auto fan_out = value.size(0) * value.size(2) * value.size(3);
      fill_normal(value, key, std::sqrt(2 / static_cast<double>(fan_out)));
    } else if (value.dim() == 2) {
      fill_normal(value, key, 0.01);
    } else if (!in_body || name.find(".se.") != std::string::npos) {
      const auto weight = named_parameters()[name.substr(0, name.rfind('.')) + ".weight"];
      fill_uniform(value, key, 1 / std::sqrt(static_cast<double>(weight.numel() / weight.size(0))));
    } else {
      const bool basic = name.find(".layer1.") != std::string::npos || name.find(".layer2.") != std::string::npos;
      const bool last = name.ends_with(basic ? ".conv2.1.weight" : ".conv3.1.weight");
      value.fill_(name.ends_with(".weight") && !last ? 1 : 0);
    }
  }
  for (const auto& item : named_buffers()) {
    auto value = item.value();
    value.fill_(item.key().ends_with("running_var") ? 1 : 0);
  }
}

std::shared_ptr<Network> create_tresnet(const nlohmann::json& architecture) {
  return std::make_shared<TResNet>(architecture);
}

}  // namespace mlpac
