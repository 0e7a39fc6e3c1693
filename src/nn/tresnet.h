// TResNet (Ridnik et al., WACV 2021): the image network of the paper's multi-label experiments, with the parameter
// names of the official code, so that its weights load as they are.
#pragma once

#include <functional>

#include "nn/graphed.h"
#include "nn/network.h"

namespace mlpac {

class TResNet : public Network {
 public:
  /// {"outputs": n, "size": pixels a side, "layers": [3, 4, 11, 3], "width": 1.0}; the last two are those of TResNet-M
  /// unless given.
  explicit TResNet(const nlohmann::json& architecture);

  at::Tensor forward(const Batch& batch) override;
  void initialise(std::uint64_t seed) override;
  std::string last_layer() const override { return "head.fc"; }

  using Visit = std::function<void(const std::string& stage, const at::Tensor& output)>;
  /// Images [rows x 3 x size x size] with values in [0, 1] as vectors; every stage's output is shown to `visit`.
  at::Tensor embed(const at::Tensor& images, const Visit& visit = {});

 private:
  Graphed graphed_{*this};
  torch::nn::ModuleDict body_;
  torch::nn::Linear head_{nullptr};
};

std::shared_ptr<Network> create_tresnet(const nlohmann::json& architecture);

}  // namespace mlpac
