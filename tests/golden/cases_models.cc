// Networks whose weights are given by rule: outputs, and how long the gradient of each parameter is.
#include <fmt/format.h>

#include <cmath>

#include "fill.h"
#include "golden_case.h"
#include "nn/network.h"

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

}  // namespace

void cnn13(GoldenCase& test) {
  const auto seed = test.params().at("seed").get<std::uint64_t>();
  const auto network = create_network({{"network", "cnn13"}, {"channels", 3}, {"size", 32}, {"outputs", 1}});
  test.require(network->parameter_count() == test.params().at("parameters_total").get<std::int64_t>(),
               "number of parameters");
  const auto table = test.folder().json(test.params().at("parameter_table"));
  Batch batch;
  batch.inputs = {fill("image", {4, 3, 32, 32}, seed, "unit")};
  batch.rows = {0, 1, 2, 3};

  fill_parameters(*network, table, seed);
  network->eval();
  test.expect("score_eval", network->forward(batch));

  network->train();
  const auto score = network->forward(batch);
  test.expect("score_train", score);
  const auto loss = at::sigmoid(-score).mean();  // as the case says
  test.expect("loss_train", loss.item<double>());
  loss.backward();
  const auto parameters = network->named_parameters();
  for (const auto& [name, length] : test.params().at("grad_l2_train").items()) {
    const double expected = length.get<double>();
    const double actual = parameters[name].grad().norm().item<double>();
    // Tolerances of gradient norms in the reference data; a bias before batch norm has no gradient but rounding.
    test.require(std::abs(actual - expected) <= 1e-5 + 2e-3 * expected,
                 fmt::format("gradient of {}: {} instead of {}", name, actual, expected));
  }
}

}  // namespace mlpac::golden
