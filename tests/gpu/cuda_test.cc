// What must hold on a GPU: the same draws, the same objectives as on the CPU, and training that works and resumes.
#include <gtest/gtest.h>

#include <filesystem>

#include "mlpac/mlpac.h"
#include "nn/batch_norm.h"
#include "nn/biased_linear.h"
#include "nn/draws.h"
#include "nn/grouped_bilinear.h"
#include "nn/network.h"
#include "nn/sparse_linear.h"
#include "nn/torch.h"
#include "train/optimizer.h"

namespace mlpac {
namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(Cuda, DrawsAreThoseOfTheHost) {
  const std::vector<std::int64_t> rows{0, 7, 123456789};
  const auto host = Draws(3, 5, rows, at::kCPU).uniform("actions", 4, 33);
  const auto device = Draws(3, 5, rows, at::kCUDA).uniform("actions", 4, 33);
  EXPECT_TRUE(host.equal(device.cpu()));
}

TEST_F(Cuda, ObjectivesAgreeWithTheCpu) {
  torch::manual_seed(1);
  const auto z = torch::randn({32, 20});
  const auto y = (torch::rand({32, 20}) < 0.1).to(at::kFloat);
  const auto k = critic_value(torch::randn({32, 20}), y);
  for (const auto& normalisation : normalisations()) {
    for (const auto& global : global_rewards()) {
      RewardSpec spec;
      spec.normalisation = parse_normalisation(normalisation.name);
      spec.global = parse_global_reward(global.name);
      std::vector<at::Tensor> losses;
      std::vector<at::Tensor> gradients;
      for (const auto device : {at::kCPU, at::kCUDA}) {
        const auto logits = z.to(device).clone().requires_grad_();
        const auto labels = y.to(device);
        const auto loss = exact_objective(logits, k.to(device), labels, mask_probability(labels, spec), 2.5, spec).loss;
        loss.backward();
        losses.push_back(loss.detach().cpu());
        gradients.push_back(logits.grad().cpu());
      }
      EXPECT_TRUE(at::allclose(losses[0], losses[1], 1e-4, 1e-5)) << normalisation.name << ' ' << global.name;
      EXPECT_TRUE(at::allclose(gradients[0], gradients[1], 1e-3, 1e-6)) << normalisation.name << ' ' << global.name;
    }
  }
}

TEST_F(Cuda, AdamStepsAsOnTheCpu) {
  for (const bool decoupled : {true, false}) {
    for (const bool early : {true, false}) {
      OptimizerSpec spec;
      spec.lr = 0.01;
      spec.weight_decay = 0.3;
      spec.decoupled = decoupled;
      spec.eps_before_correction = early;
      spec.clip = 1;
      torch::manual_seed(2);
      const std::vector<at::Tensor> start{torch::randn({7, 5, 3, 3}), torch::randn({4, 6, 1, 1}), torch::randn({11})};
      std::vector<std::vector<at::Tensor>> ends;
      for (const auto device : {at::kCPU, at::kCUDA}) {
        std::vector<NamedParameter> parameters;
        for (const auto& tensor : start) {
          auto value = tensor.to(device).clone();
          if (value.dim() == 4) value = value.contiguous(at::MemoryFormat::ChannelsLast);
          parameters.push_back({std::to_string(parameters.size()), value.requires_grad_()});
        }
        Adam adam(parameters, spec);
        torch::manual_seed(3);
        for (int i = 0; i < 5; ++i) {
          for (auto& parameter : parameters) {
            parameter.value.mutable_grad() = torch::randn(parameter.value.sizes()).to(device);
          }
          adam.step({});
        }
        ends.emplace_back();
        for (const auto& parameter : parameters) ends.back().push_back(parameter.value.detach().cpu());
      }
      for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_TRUE(at::allclose(ends[0][i], ends[1][i], 1e-5, 1e-6)) << decoupled << early << i;
      }
    }
  }
}

/// Gradients of the first and the last layer after a pass over each batch, taken together.
std::vector<at::Tensor> gradients_of(Network& network, std::span<const Batch> batches) {
  at::Tensor loss;
  for (const auto& batch : batches) {
    const auto own = network.forward(batch).square().mean();
    loss = loss.defined() ? loss + own : own;
  }
  loss.backward();
  std::vector<at::Tensor> result;
  for (auto& parameter : network.parameters()) {
    if (result.empty() || parameter.dim() == 2) result.push_back(parameter.grad().clone());
    parameter.mutable_grad() = at::Tensor();
  }
  return result;
}

TEST_F(Cuda, RecordedPassesEqualPlainOnes) {
  const auto network = create_network({{"network", "cnn13"}, {"channels", 3}, {"size", 32}, {"outputs", 2}});
  network->initialise(1);
  network->to(at::kCUDA);
  torch::manual_seed(4);
  std::array<Batch, 2> batches;
  for (auto& batch : batches) batch.inputs = {torch::rand({8, 3, 32, 32}).to(at::kCUDA)};
  const auto single = std::span(batches).first(1);
  const auto plain = gradients_of(*network, single);
  const auto plain_sum = gradients_of(*network, batches);
  for (int pass = 0; pass < 4; ++pass) {
    const auto again = gradients_of(*network, single);
    const auto sum = gradients_of(*network, batches);  // the second pass meets one that waits for its gradients
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_TRUE(at::allclose(plain[i], again[i], 1e-4, 1e-6)) << pass << ' ' << i;
      EXPECT_TRUE(at::allclose(plain_sum[i], sum[i], 1e-4, 1e-6)) << pass << ' ' << i;
    }
  }
  network->eval();
  const at::NoGradGuard no_grad;
  const auto logits = network->forward(batches[0]);
  for (int pass = 0; pass < 4; ++pass) {
    network->forward(batches[1]);
    EXPECT_TRUE(at::allclose(logits, network->forward(batches[0]), 1e-4, 1e-6)) << pass;
  }
}

/// `biased`: a bias stands before it.
void expect_norm_equals_the_cpus(bool biased) {
  torch::manual_seed(5);
  for (const std::int64_t channels : {8, 96, 2048}) {
    for (const double slope : {0.0, 0.01, 1.0}) {
      const auto x = (torch::randn({3, channels, 5, 7}) * 2 + torch::randn({1, channels, 1, 1}) * 5).to(at::kBFloat16);
      const auto weight = torch::rand({channels}) + 0.5;
      const auto bias = torch::randn({channels});
      const auto offset = biased ? torch::randn({channels}) : at::Tensor();
      const auto seed = torch::randn(x.sizes()).to(at::kBFloat16);
      std::vector<std::vector<at::Tensor>> found;
      for (const auto device : {at::kCPU, at::kCUDA}) {
        auto input = x.to(device, device == at::kCPU ? at::kFloat : at::kBFloat16);
        input = input.contiguous(at::MemoryFormat::ChannelsLast).requires_grad_();
        const auto scale = weight.to(device).clone().requires_grad_();
        const auto shift = bias.to(device).clone().requires_grad_();
        const BatchStatistics running{at::zeros({channels}, device), at::ones({channels}, device), true};
        const auto before = offset.defined() ? offset.to(device) : offset;
        const auto y = batch_norm(input, scale, shift, running, {0.1, 1e-5, slope}, before);
        y.backward(seed.to(y));
        const at::NoGradGuard no_grad;
        const auto later =
            batch_norm(input, scale, shift, {running.mean, running.variance, false}, {0.1, 1e-5, slope}, before);
        found.emplace_back();
        for (const auto& tensor :
             {y, later, input.grad(), scale.grad(), shift.grad(), running.mean, running.variance}) {
          found.back().push_back(tensor.detach().cpu().to(at::kFloat));
        }
      }
      for (std::size_t i = 0; i < found[0].size(); ++i) {
        const auto error = (found[0][i] - found[1][i]).abs().max().item<double>();
        const auto size = found[0][i].abs().max().item<double>();
        EXPECT_LT(error, 0.01 * size + 1e-3) << channels << ' ' << slope << ' ' << i;
      }
    }
  }
}

TEST_F(Cuda, NormEqualsTheCpus) { expect_norm_equals_the_cpus(false); }
TEST_F(Cuda, NormAfterABiasEqualsTheCpus) { expect_norm_equals_the_cpus(true); }

TEST_F(Cuda, EveryNetworkOfImagesLearnsInBothPrecisions) {
  for (const std::string name : {"cnn13", "resnet18", "resnet50", "tresnet-m"}) {
    for (const bool reduced : {false, true}) {
      const auto network = create_network({{"network", name}, {"channels", 3}, {"size", 64}, {"outputs", 2}});
      network->initialise(1);
      network->to(at::kCUDA);
      torch::manual_seed(7);
      Batch batch;
      batch.inputs = {torch::rand({4, 3, 64, 64}).to(at::kCUDA)};
      for (int pass = 0; pass < 4; ++pass) {  // plain ones, and recorded ones
        at::Tensor loss;
        {
          const Autocast autocast(reduced, at::kCUDA);
          loss = network->forward(batch).to(at::kFloat).square().mean();
        }
        loss.backward();
        for (auto& parameter : network->parameters()) {
          ASSERT_TRUE(parameter.grad().defined() && parameter.grad().isfinite().all().item<bool>()) << name << reduced;
          parameter.mutable_grad() = at::Tensor();
        }
      }
    }
  }
}

TEST_F(Cuda, BiasedLinearHasTheGradientsOfTheGeneralOne) {
  torch::manual_seed(8);
  for (const std::int64_t rows : {1, 7, 300, 5000}) {
    for (const std::int64_t outputs : {8, 264, 4096}) {
      const auto values = at::TensorOptions(at::kCUDA);
      const auto x = torch::randn({rows, 1, 16}, values);
      const auto weight = torch::randn({outputs, 16}, values);
      const auto bias = torch::randn({outputs}, values);
      const auto seed = torch::randn({rows, 1, outputs}, values).to(at::kBFloat16);
      std::vector<std::vector<at::Tensor>> found;
      for (const bool own : {false, true}) {
        std::vector<at::Tensor> inputs;
        for (const auto& tensor : {x, weight, bias}) inputs.push_back(tensor.to(at::kBFloat16).requires_grad_());
        const auto y = own ? biased_linear(inputs[0], inputs[1], inputs[2])
                           : at::linear(inputs[0].to(at::kFloat), inputs[1].to(at::kFloat), inputs[2].to(at::kFloat));
        y.backward(seed.to(y));
        found.push_back({y.detach().to(at::kFloat)});
        for (const auto& input : inputs) found.back().push_back(input.grad().to(at::kFloat));
      }
      for (std::size_t i = 0; i < found[0].size(); ++i) {
        const auto error = (found[0][i] - found[1][i]).abs().max().item<double>();
        EXPECT_LT(error, 0.02 * found[0][i].abs().max().item<double>() + 1e-3) << rows << ' ' << outputs << ' ' << i;
      }
    }
  }
}

TEST_F(Cuda, PairsEqualTheCpus) {
  torch::manual_seed(6);
  for (const std::int64_t block : {64, 32}) {  // with kernels of our own, and without
    const auto a = torch::randn({37, 3 * block}).to(at::kBFloat16).to(at::kFloat);
    const auto b = torch::randn({37, 3 * block}).to(at::kBFloat16).to(at::kFloat);
    const auto w = (torch::randn({13, 3 * block * block}) / block).to(at::kBFloat16).to(at::kFloat);
    const auto seed = torch::randn({37, 13}).to(at::kBFloat16);
    std::vector<std::vector<at::Tensor>> found;
    for (const auto device : {at::kCPU, at::kCUDA}) {
      const Autocast autocast(device == at::kCUDA, device);
      std::vector<at::Tensor> inputs;
      for (const auto& tensor : {a, b, w}) inputs.push_back(tensor.to(device).clone().requires_grad_());
      const std::int64_t bytes = 10 * 3 * block * block * (device == at::kCUDA ? 2 : 4);  // ten rows at a time
      const auto y = grouped_bilinear(inputs[0], inputs[1], inputs[2], block, bytes);
      y.backward(seed.to(y));
      found.push_back({y.detach().cpu().to(at::kFloat)});
      for (const auto& input : inputs) found.back().push_back(input.grad().cpu().to(at::kFloat));
    }
    for (std::size_t i = 0; i < found[0].size(); ++i) {
      const auto error = (found[0][i] - found[1][i]).abs().max().item<double>();
      EXPECT_LT(error, 0.02 * found[0][i].abs().max().item<double>()) << block << ' ' << i;
    }
  }
}

TEST_F(Cuda, TrainsAsOnTheCpu) {
  SyntheticSpec data;
  data.rows = 1000;
  const auto train_data = synthesise(data);
  data.seed = 1;
  const auto test_data = synthesise(data);
  std::map<std::string, double> f1;
  for (const std::string device : {"cpu", "cuda", "bf16"}) {
    Options options;
    options.set("ratio", "0.3");
    options.set("w", "2");
    options.set("ema", "0.9");
    options.set("device", device == "bf16" ? "cuda" : device);
    options.set("precision", device == "bf16" ? "bf16" : "float32");
    f1[device] = train(options, train_data, &test_data).result.at("test").at("f1").get<double>();
  }
  EXPECT_NEAR(f1["cpu"], f1["cuda"], 3);
  EXPECT_NEAR(f1["cpu"], f1["bf16"], 5);
}

TEST_F(Cuda, SparseProductEqualsTheCpus) {
  const SparseRows x{torch::tensor({0, 3, 3, 5}, at::kInt), torch::tensor({1, 4, 7, 0, 4}, at::kInt),
                     torch::tensor({0.5F, -2.0F, 1.0F, 3.0F, 0.25F})};
  const auto w = at::randn({9, 4});
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> gradients;
  for (const at::Device device : {at::Device(at::kCPU), at::Device(at::kCUDA, 0)}) {
    auto weight = w.to(device).detach().requires_grad_();
    const auto product = sparse_product({x.offsets.to(device), x.columns.to(device), x.values.to(device)}, weight);
    product.square().sum().backward();
    outputs.push_back(product.detach().cpu());
    gradients.push_back(weight.grad().coalesce().cpu());
  }
  EXPECT_TRUE(at::allclose(outputs[0], outputs[1], 1e-4, 1e-5));
  EXPECT_TRUE(at::equal(gradients[0].indices(), gradients[1].indices()));
  EXPECT_TRUE(at::allclose(gradients[0].values(), gradients[1].values(), 1e-4, 1e-4));
}

}  // namespace
}  // namespace mlpac
