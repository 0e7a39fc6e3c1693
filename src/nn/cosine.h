// A network that compares rows with classes: cosines of a row's embedding with embeddings of the classes and of a none
// class. What is returned are log-odds, so that nothing else needs to know of the none class.
#pragma once

#include "nn/network.h"

namespace mlpac {

/// Cosines of rows [rows x width] with class embeddings [classes + 1 x width], the none class first.
at::Tensor cosines(const at::Tensor& rows, const at::Tensor& classes);
/// scale (cosine with the class - cosine with the none class), [rows x classes].
at::Tensor cosine_log_odds(const at::Tensor& cosines, double scale);

class Cosine : public Network {
 public:
  explicit Cosine(const nlohmann::json& architecture);

  at::Tensor forward(const Batch& batch) override;
  void initialise(std::uint64_t seed) override;
  std::string last_layer() const override { return "classes"; }

  /// Log-odds of a row whose embedding is that of the none class, [1 x classes].
  at::Tensor none_log_odds() const override;

 private:
  std::shared_ptr<Network> body_;  ///< hidden layers and a linear one to the embedding
  torch::nn::Embedding classes_{nullptr};
  double scale_;
};

/// {"network": "cosine", "inputs", "outputs", "widths": [...], "dropout", "scale"}; the embedding is as wide as the
/// last hidden layer.
std::shared_ptr<Network> create_cosine(const nlohmann::json& architecture);

}  // namespace mlpac
