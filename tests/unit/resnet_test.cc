// ResNets in torchvision's layout, and weights that others trained put into a network.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/method.h"
#include "mlpac/error.h"
#include "nn/network.h"
#include "tasks/initial_weights.h"
#include "tiny_problem.h"
#include "train/state.h"

namespace mlpac {

namespace {

nlohmann::json shape_of(const std::string& name, std::int64_t outputs, const std::string& stem = "standard") {
  return {{"network", name}, {"channels", 3}, {"size", 64}, {"stem", stem}, {"outputs", outputs}};
}

TEST(ResNet, HasTheParametersOfTorchvision) {
  // Numbers of torchvision.models.resnet18() and resnet50().
  const auto small = create_network(shape_of("resnet18", 1000));
  EXPECT_EQ(small->parameter_count(), 11'689'512);
  EXPECT_EQ(named_tensors(*small).size(), 122U);
  const auto large = create_network(shape_of("resnet50", 1000));
  EXPECT_EQ(large->parameter_count(), 25'557'032);
  EXPECT_EQ(named_tensors(*large).size(), 320U);
  const auto tensors = named_tensors(*large);
  const auto has = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto found = tensors.find(name);
    ASSERT_NE(found, tensors.end()) << name;
    EXPECT_EQ(found->second.sizes().vec(), shape) << name;
  };
  has("conv1.weight", {64, 3, 7, 7});
  has("bn1.running_var", {64});
  has("bn1.num_batches_tracked", {});
  has("layer1.0.downsample.0.weight", {256, 64, 1, 1});
  has("layer1.0.downsample.1.bias", {256});
  has("layer3.5.conv2.weight", {256, 256, 3, 3});
  has("layer4.2.bn3.weight", {2048});
  has("fc.weight", {1000, 2048});
}

TEST(ResNet, TheSmallStemKeepsTheResolution) {
  const auto standard = create_network(shape_of("resnet18", 4));
  const auto small = create_network(shape_of("resnet18", 4, "small"));
  EXPECT_EQ(named_tensors(*small).at("conv1.weight").sizes().vec(), (std::vector<std::int64_t>{64, 3, 3, 3}));
  EXPECT_EQ(standard->parameter_count() - small->parameter_count(), 64 * 3 * (49 - 9));
  // One small image suffices to learn from, also where its last stage has a single position.
  for (const auto& network : {standard, small}) {
    network->initialise(1);
    Batch batch;
    batch.inputs = {at::zeros({1, 3, 16, 16})};
    batch.rows = {0};
    network->forward(batch).sum().backward();
    for (const auto& item : network->named_parameters()) {
      EXPECT_TRUE(at::isfinite(item.value().grad()).all().item<bool>()) << item.key();
    }
  }
}

TEST(ResNet, TheHalfStemLooksAtEveryOtherPixel) {
  const at::NoGradGuard no_grad;
  const auto network = create_network(shape_of("resnet18", 4, "half"));
  network->initialise(1);
  network->eval();
  auto kernel = named_tensors(*network).at("conv1.weight");
  EXPECT_EQ(kernel.sizes().vec(), (std::vector<std::int64_t>{64, 3, 3, 3}));
  const auto centre = kernel.narrow(2, 1, 1).narrow(3, 1, 1).clone();
  kernel.zero_();
  kernel.narrow(2, 1, 1).narrow(3, 1, 1).copy_(centre);
  Batch batch;
  batch.inputs = {at::ones({1, 3, 16, 16})};
  batch.rows = {0};
  const auto before = network->forward(batch);
  batch.inputs[0].narrow(2, 5, 1).zero_();  // an odd row: between the pixels that are looked at
  EXPECT_TRUE(at::equal(network->forward(batch), before));
  batch.inputs[0].narrow(2, 4, 1).zero_();
  EXPECT_FALSE(at::equal(network->forward(batch), before));
}

TEST(ResNet, ChannelsScale) {
  for (const auto* name : {"resnet18", "resnet50", "tresnet-m"}) {
    auto shape = shape_of(name, 4);
    const auto usual = create_network(shape)->parameter_count();
    shape["width"] = 0.25;
    const auto network = create_network(shape);
    EXPECT_NEAR(static_cast<double>(usual) / static_cast<double>(network->parameter_count()), 16, 1) << name;
    network->initialise(1);
    Batch batch;
    batch.inputs = {at::zeros({2, 3, 64, 64})};
    batch.rows = {0, 1};
    EXPECT_TRUE(at::isfinite(network->forward(batch)).all().item<bool>()) << name;
  }
}

TEST(ResNet, StartsAsTorchvisionDoes) {
  const auto network = create_network(shape_of("resnet18", 1000));
  network->initialise(5);
  const auto tensors = named_tensors(*network);
  const auto deviation = [&](const std::string& name) { return tensors.at(name).std().item<double>(); };
  EXPECT_NEAR(deviation("conv1.weight"), std::sqrt(2.0 / (64 * 49)), 1e-3);
  EXPECT_NEAR(deviation("layer4.1.conv2.weight"), std::sqrt(2.0 / (512 * 9)), 1e-4);
  EXPECT_NEAR(deviation("fc.weight"), 1 / std::sqrt(3.0 * 512), 1e-4);
  EXPECT_EQ(tensors.at("layer2.0.bn2.weight").min().item<double>(), 1);  // residual branches begin with all they have
  EXPECT_EQ(tensors.at("layer2.0.bn2.bias").abs().max().item<double>(), 0);
}

class Init : public ::testing::Test {
 protected:
  Init() {
    std::filesystem::create_directories(folder_.path());
    network_ = create_network(body_);
    network_->initialise(9);
  }
  /// The weights of the network in a file, with a prefix.
  std::filesystem::path save(const std::string& prefix, const std::string& without = "") {
    State state;
    for (const auto& [name, tensor] : named_tensors(*network_)) {
      if (name != without) state.tensors[prefix + name] = tensor;
    }
    const auto path = folder_.path() / "w.safetensors";
    save_state(path, state);
    return path;
  }
  static std::string refusal(const std::filesystem::path& path, const nlohmann::json& architecture) {
    try {
      initial_weights(path, architecture, 1);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  nlohmann::json body_{{"network", "cnn13"}, {"channels", 3}, {"size", 4}, {"outputs", 6}};
  tiny::Folder folder_;
  std::shared_ptr<Network> network_;
};

TEST_F(Init, ABodyIsTakenAndTheHeadIsNewUnlessItFits) {
  const auto other = [&] {
    auto changed = body_;
    changed["outputs"] = 3;
    return changed;
  }();
  const auto original = named_tensors(*network_);
  const auto fitting = initial_weights(save("module.model."), body_, 1);
  EXPECT_TRUE(tiny::equal(fitting.weights, original));
  EXPECT_FALSE(fitting.trained);
  const auto replaced = initial_weights(save(""), other, 1);
  const auto fresh = create_network(other);
  fresh->initialise(1);
  for (const auto& [name, tensor] : replaced.weights) {
    const bool head = name.starts_with("l3.");
    EXPECT_TRUE(at::equal(tensor, head ? named_tensors(*fresh).at(name) : original.at(name))) << name;
  }
}

TEST_F(Init, WhatDoesNotFitIsListed) {
  const auto missing = refusal(save("", "conv2.weight"), body_);
  EXPECT_NE(missing.find("conv2.weight"), std::string::npos) << missing;
  const auto all = refusal(save(""), shape_of("resnet18", 6));
  for (const char* part :
       {"missing", "of another shape", "not part of the network", "layer4.1.conv2.weight", "conv9"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
  EXPECT_NE(refusal(folder_.path() / "none.pth", body_).find("none.pth"), std::string::npos);
}

}  // namespace

}  // namespace mlpac
