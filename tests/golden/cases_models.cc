// Networks whose weights are given by rule: outputs, and how long the gradient of each parameter is.
#include <fmt/format.h>

#include <cmath>

#include "fill.h"
#include "golden_case.h"
#include "losses/bce.h"
#include "nn/tresnet.h"

namespace mlpac::golden {

namespace {

void fill_parameters(Network& network, const nlohmann::json& table, std::uint64_t seed) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& row : table) {
    const std::string name = row.at("name");
    const auto shape = row.at("shape").get<std::vector<std::int64_t>>();
    tensors[name] = fill(name, shape, seed, row.at("kind"), row.at("scale").get<float>());
  }
  load_tensors(network, tensors, "parameter table");
}

void expect_gradients(GoldenCase& test, const Network& network) {
  const auto parameters = network.named_parameters();
  for (const auto& [name, length] : test.params().at("grad_l2_train").items()) {
    const double expected = length.get<double>();
    const auto& gradient = parameters[name].grad();
    const double actual = gradient.defined() ? gradient.norm().item<double>() : 0;
    // Tolerances of gradient norms in the reference data; a bias before batch norm has no gradient but rounding.
    test.require(std::abs(actual - expected) <= 1e-5 + 2e-3 * expected,
                 fmt::format("gradient of {}: {} instead of {}", name, actual, expected));
  }
}

/// Compares what a stage puts out with its stored shape, statistics and single values.
TResNet::Visit expect_stages(GoldenCase& test, const std::string& list) {
  return [&test, list](const std::string& stage, const at::Tensor& output) {
    for (const auto& expected : test.params().at(list)) {
      if (expected.at("stage") != stage) continue;
      const auto near = [&](double actual, double reference, const std::string& what) {
        test.require(std::abs(actual - reference) <= 1e-3 * std::abs(reference) + 1e-4,
                     fmt::format("{} of {}: {} instead of {}", what, stage, actual, reference));
      };
      test.require(output.sizes().vec() == expected.at("shape").get<std::vector<std::int64_t>>(), "shape of " + stage);
      near(output.mean().item<double>(), expected.at("mean").get<double>(), "mean");
      near(output.norm().item<double>(), expected.at("l2").get<double>(), "norm");
      const auto flat = output.contiguous().flatten();
      for (const auto& [at, value] : expected.at("samples").items()) {
        near(flat[std::stol(at)].item<double>(), value.get<double>(), "value " + at);
      }
    }
  };
}

}  // namespace

void cnn13(GoldenCase& test) {
  const auto seed = test.params().at("seed").get<std::uint64_t>();
  const auto network = create_network({{"network", "cnn13"}, {"channels", 3}, {"size", 32}, {"outputs", 1}});
  test.require(network->parameter_count() == test.params().at("parameters_total").get<std::int64_t>(),
               "number of parameters");
  const auto table = test.folder().json(test.params().at("parameter_table"));
  Batch batch;
  batch.inputs = {fill("image", {4, 3, 32, 32}, seed, "unit").to(test.device())};
  batch.rows = {0, 1, 2, 3};

  fill_parameters(*network, table, seed);
  network->to(test.device());
  network->eval();
  test.expect("score_eval", network->forward(batch));

  network->train();
  const auto score = network->forward(batch);
  test.expect("score_train", score);
  const auto loss = at::sigmoid(-score).mean();  // as the case says
  test.expect("loss_train", loss.item<double>());
  loss.backward();
  expect_gradients(test, *network);
}

void tresnet(GoldenCase& test) {
  const auto seed = test.params().at("seed").get<std::uint64_t>();
  const auto size = test.params().at("image_size").get<std::int64_t>();
  TResNet network({{"size", size}, {"outputs", test.params().at("num_classes")}});
  fill_parameters(network, test.folder().json(test.params().at("parameter_table")), seed);
  network.to(test.device());
  network.eval();
  const at::NoGradGuard no_grad;
  Batch batch;
  batch.inputs = {fill("image", {2, 3, size, size}, seed, "unit").to(test.device())};
  test.expect("embedding", network.embed(batch.inputs.front(), expect_stages(test, "stages")));
  test.expect("logits", network.forward(batch));
}

void tresnet_init(GoldenCase& test) {
  TResNet network({{"size", 64}, {"outputs", 80}});
  network.initialise(3);
  test.require(network.parameter_count() == test.params().at("parameters_total_80_classes").get<std::int64_t>(),
               "number of parameters");
  const auto parameters = network.named_parameters();
  const auto statistics = test.folder().json(test.params().at("file"));
  test.require(statistics.size() == parameters.size(), "names of parameters");
  for (const auto& [name, pair] : statistics.items()) {
    const auto value = parameters[name].detach();
    const auto count = static_cast<double>(value.numel());
    const double deviation = pair.at(1).get<double>();
    const double mean = value.mean().item<double>();
    if (deviation == 0) {
      test.require((value == pair.at(0).get<double>()).all().item<bool>(), name + " is not constant");
    } else if (count > 1000) {
      test.require(std::abs(mean) < 5 * deviation / std::sqrt(count), fmt::format("mean of {}: {}", name, mean));
      const double actual = value.std().item<double>();
      test.require(std::abs(actual - deviation) < 0.1 * deviation, fmt::format("deviation of {}: {}", name, actual));
    }
  }
}

void tresnet_small(GoldenCase& test) {
  const auto& params = test.params();
  const auto size = params.at("image_size").get<std::int64_t>();
  const auto rows = params.at("batch").get<std::int64_t>();
  const auto classes = params.at("num_classes").get<std::int64_t>();
  TResNet network(
      {{"size", size}, {"outputs", classes}, {"layers", params.at("layers")}, {"width", params.at("width_factor")}});
  load_tensors(network, test.folder().tensors(params.at("weights")), "state dict");
  network.to(test.device());
  constexpr std::uint64_t kSeed = 31;  // as the case says
  Batch batch;
  batch.inputs = {fill("image", {rows, 3, size, size}, kSeed, "unit").to(test.device())};
  const auto targets = fill("target", {rows, classes}, kSeed, "unit").to(test.device()) < 0.3;
  test.expect("targets", targets.to(at::kByte));
  network.eval();
  network.embed(batch.inputs.front(), expect_stages(test, "stages_eval"));
  test.expect("logits_eval", network.forward(batch).detach());
  network.train();
  const auto logits = network.forward(batch);
  test.expect("logits_train", logits.detach());
  const auto loss =
      bce({.z = logits, .y = targets.to(at::kFloat), .sums = {}, .draws = {}}, {.reduction = Reduction::sum});
  test.expect("loss_train", loss.item<double>());
  loss.backward();
  expect_gradients(test, network);
  const auto state = named_tensors(network);
  for (const auto& [name, reference] : test.entry().at("outputs").items()) {
    constexpr std::string_view kAfter = "after.";
    if (name.starts_with(kAfter)) test.expect(name, state.at(name.substr(kAfter.size())));
  }
}

}  // namespace mlpac::golden
