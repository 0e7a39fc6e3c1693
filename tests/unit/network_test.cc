// What every architecture of the table must do: a new line in it is tested without a new test.
#include "nn/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "document_batches.h"
#include "enumeration.h"
#include "methods/method.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr std::int64_t kRows = 6;
constexpr std::int64_t kSide = 20;  // of images

nlohmann::json architecture(std::string_view network, double dropout = 0) {
  if (find_network(network).input == NetworkInput::images) {
    return {{"network", network}, {"channels", 3},          {"size", kSide},
            {"outputs", 4},       {"layers", {1, 1, 1, 1}}, {"width", 0.25}};
  }
  if (find_network(network).input == NetworkInput::documents) {
    return {{"network", network},
            {"encoder", documents::tiny_encoder(dropout)},
            {"outputs", 4},
            {"width", 8},
            {"block", 4}};
  }
  return {{"network", network}, {"inputs", 7}, {"outputs", 4}, {"widths", {9, 5}}, {"dropout", dropout}};
}

std::shared_ptr<Network> make(std::string_view name, double dropout = 0, std::uint64_t seed = 1) {
  auto network = create_network(architecture(name, dropout));
  network->initialise(seed);
  return network;
}

/// Some of 100 rows of what a network reads.
Batch batch_of(std::vector<std::int64_t> rows, std::uint64_t epoch = 0, NetworkInput input = NetworkInput::features) {
  if (input == NetworkInput::documents) {
    Batch batch = documents::one_pair_each(rows);
    batch.draws = Draws(1, epoch, rows, at::kCPU);
    return batch;
  }
  const std::vector<std::int64_t> shape = input == NetworkInput::images
                                              ? std::vector<std::int64_t>{100, 3, kSide, kSide}
                                              : std::vector<std::int64_t>{100, 7};
  const auto all = enumeration::draws(shape, "inputs", -1, 1).to(at::kFloat);
  Batch batch;
  batch.inputs = {all.index_select(0, torch::tensor(rows, at::kLong))};
  batch.rows = rows;
  batch.draws = Draws(1, epoch, rows, at::kCPU);
  return batch;
}

Batch batch_of_first(std::uint64_t epoch = 0, NetworkInput input = NetworkInput::features) {
  return batch_of({0, 1, 2, 3, 4, 5}, epoch, input);
}

/// Parts of batch norm start at 0 or 1 whatever the seed.
bool constant(const at::Tensor& tensor) { return at::equal(tensor, tensor.flatten()[0].expand_as(tensor)); }

class NetworkContract : public ::testing::TestWithParam<NetworkEntry> {
 protected:
  Batch some(std::vector<std::int64_t> rows, std::uint64_t epoch = 0) const {
    return batch_of(std::move(rows), epoch, GetParam().input);
  }
  Batch first(std::uint64_t epoch = 0) const { return batch_of_first(epoch, GetParam().input); }
  /// Rows do not depend on each other, and there is dropout.
  bool row_by_row() const { return GetParam().input == NetworkInput::features; }
};

TEST_P(NetworkContract, OutputHasOneRowPerLabelRow) {
  const auto network = make(GetParam().name);
  network->eval();
  EXPECT_EQ(network->forward(first()).sizes().vec(), (std::vector<std::int64_t>{kRows, 4}));
  EXPECT_EQ(network->forward(some({3})).sizes().vec(), (std::vector<std::int64_t>{1, 4}));
  if (!row_by_row()) return;  // convolutions of LibTorch 1.13 want at least one image
  EXPECT_EQ(network->forward(some({})).sizes().vec(), (std::vector<std::int64_t>{0, 4}));
}

TEST_P(NetworkContract, EveryParameterGetsAFiniteGradient) {
  const auto network = make(GetParam().name, 0.3);
  network->train();
  network->forward(first()).square().sum().backward();
  std::int64_t count = 0;
  for (const auto& item : network->named_parameters()) {
    SCOPED_TRACE(item.key());
    ASSERT_TRUE(item.value().grad().defined());
    EXPECT_TRUE(at::isfinite(item.value().grad()).all().item<bool>());
    // Batch norm takes out what a bias before it adds.
    const bool before_norm = item.key().starts_with("conv") && item.key().ends_with("bias");
    EXPECT_TRUE(before_norm || item.value().grad().abs().sum().item<double>() > 0);
    count += item.value().numel();
  }
  EXPECT_EQ(network->parameter_count(), count);
}

TEST_P(NetworkContract, WeightsAreAFunctionOfTheSeed) {
  torch::manual_seed(1);
  const auto a = copy_weights(*make(GetParam().name));
  torch::manual_seed(2);  // LibTorch's own generator must not matter
  const auto b = copy_weights(*make(GetParam().name));
  const auto c = copy_weights(*make(GetParam().name, 0, 2));
  for (const auto& [name, tensor] : a) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(at::equal(tensor, b.at(name)));
    if (constant(tensor)) {
      EXPECT_FALSE(row_by_row());
      continue;
    }
    EXPECT_FALSE(at::equal(tensor, c.at(name)));
    EXPECT_TRUE(at::isfinite(tensor).all().item<bool>());
    EXPECT_GT(tensor.std().item<double>(), 0);
  }
}

TEST_P(NetworkContract, EvaluationIsDeterministicAndWithoutDropout) {
  const auto network = make(GetParam().name, 0.5);
  network->eval();
  const auto output = network->forward(first());
  EXPECT_TRUE(at::equal(output, network->forward(first())));
  EXPECT_TRUE(at::equal(output, network->forward(first(1))));  // the draws of the epoch do not matter
  EXPECT_TRUE(at::allclose(output[4], network->forward(some({4, 2}))[0], 1e-5, 1e-5));
  if (!row_by_row()) return;
  const auto plain = make(GetParam().name, 0);
  plain->train();
  EXPECT_TRUE(at::equal(output, plain->forward(first())));
}

TEST_P(NetworkContract, DropoutIsKeyedByRow) {
  if (!row_by_row()) return;
  const auto network = make(GetParam().name, 0.5);
  network->train();
  const auto output = network->forward(first());
  EXPECT_TRUE(at::equal(output, network->forward(first())));  // nothing is consumed
  const auto two = network->forward(some({4, 2}));
  EXPECT_TRUE(at::allclose(two[0], output[4], 1e-6, 1e-6));
  EXPECT_TRUE(at::allclose(two[1], output[2], 1e-6, 1e-6));
  if (GetParam().name == "linear") return;  // it has no hidden layer to drop
  EXPECT_FALSE(at::allclose(output, network->forward(first(1))));
  network->stream = "critic";
  EXPECT_FALSE(at::allclose(output, network->forward(first())));  // two networks do not share masks
}

TEST_P(NetworkContract, LoadedTensorsReproduceTheOutput) {
  const auto from = make(GetParam().name, 0, 3);
  const auto to = make(GetParam().name, 0, 4);
  load_tensors(*to, named_tensors(*from), "test");
  from->eval();
  to->eval();
  EXPECT_TRUE(at::equal(from->forward(first()), to->forward(first())));
  for (const auto& item : to->named_parameters()) EXPECT_TRUE(item.value().requires_grad());
}

TEST_P(NetworkContract, CopiesAreIndependent) {
  const auto network = make(GetParam().name);
  const auto before = copy_weights(*network);
  network->initialise(9);
  const auto after = named_tensors(*network);
  for (const auto& [name, tensor] : before) EXPECT_EQ(at::equal(tensor, after.at(name)), constant(tensor)) << name;
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkContract, ::testing::ValuesIn(networks().begin(), networks().end()),
                         [](const auto& item) {
                           std::string name(item.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Network, DropoutKeepsTheMean) {
  const auto network =
      create_network({{"network", "mlp"}, {"inputs", 7}, {"outputs", 1}, {"widths", {2000}}, {"dropout", 0.4}});
  network->initialise(1);
  const auto batch = batch_of_first();
  network->eval();
  const auto expected = network->forward(batch);
  network->train();
  at::Tensor sum = at::zeros_like(expected);
  constexpr int kEpochs = 200;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    auto drawn = batch_of_first(static_cast<std::uint64_t>(epoch));
    sum = sum + network->forward(drawn).detach() / kEpochs;
  }
  EXPECT_TRUE(at::allclose(sum, expected, 0, 0.05));
}

TEST(Network, WidthsShapeTheMlp) {
  const auto tensors = named_tensors(*make("mlp"));
  EXPECT_EQ(tensors.size(), 6U);
  EXPECT_EQ(tensors.at("layer1.weight").sizes().vec(), (std::vector<std::int64_t>{5, 9}));
  // PyTorch's default range, 1 / sqrt(inputs of the layer).
  EXPECT_LE(tensors.at("layer1.weight").abs().max().item<double>(), 1.0 / 3 + 1e-6);
  EXPECT_GT(tensors.at("layer1.weight").abs().max().item<double>(), 0.3);
  EXPECT_EQ(named_tensors(*make("linear")).size(), 2U);
}

TEST(Network, UnknownNameIsRefusedWithTheNearest) {
  EXPECT_THROW(create_network({{"network", "mlpx"}, {"inputs", 1}, {"outputs", 1}}), UsageError);
}

TEST(Network, LoadTensorsListsEveryDifferenceAndChangesNothing) {
  const auto network = make("mlp");
  const auto before = copy_weights(*network);
  auto tensors = copy_weights(*make("mlp", 0, 2));
  tensors.erase("layer0.bias");
  tensors["layer1.weight"] = at::zeros({3, 3});
  tensors["layer9.weight"] = at::zeros({2});
  try {
    load_tensors(*network, tensors, "file.safetensors");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* part : {"file.safetensors", "layer0.bias is missing", "layer1.weight is [3, 3], expected [5, 9]",
                             "layer9.weight [2] is not part of the network"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
  for (const auto& [name, tensor] : named_tensors(*network)) EXPECT_TRUE(at::equal(tensor, before.at(name)));
}

}  // namespace

}  // namespace mlpac
