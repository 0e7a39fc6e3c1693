// Relations between the entities of a document: ATLOP (Zhou et al., AAAI 2021) with the evidence attention of DREEAM
// (Ma et al., EACL 2023), and the metric head of P3M. Parameter names are those of the official codes.
#pragma once

#include <optional>

#include "nn/document_input.h"
#include "nn/document_windows.h"
#include "nn/encoder.h"
#include "nn/graphed.h"
#include "nn/network.h"

namespace mlpac {

class Dreeam : public Network {
 public:
  explicit Dreeam(const nlohmann::json& architecture);

  at::Tensor forward(const Batch& batch) override;
  /// Adds the evidence loss, if it has a weight and the batch says which sentences are evidence.
  Supervision supervise(const Batch& batch) override;
  void initialise(std::uint64_t seed) override;
  std::string last_layer() const override { return "bilinear"; }
  std::string body() const override { return "model."; }
  bool borrow_body(Network& owner) override;
  at::Tensor none_log_odds() const override;

  struct Output {
    at::Tensor logits;      ///< [pairs x outputs]: the threshold class first; with a metric head log-odds
    at::Tensor cosines;     ///< metric head: [pairs x outputs + 1], the none class first
    at::Tensor attention;   ///< [pairs x length]: which tokens matter for a pair
    at::Tensor importance;  ///< [pairs x sentences]: sum of the former over a sentence
  };
  /// `explain`: with attention and importance.
  Output run(const Batch& batch, bool explain = true);

  const Encoder& encoder() const { return *encoder_; }

 private:
  struct Pairs {
    at::Tensor head, tail, context, attention;  ///< [pairs x hidden] and [pairs x length]
    at::Tensor importance;
  };
  Encoded encode(const DocumentInput& input, const Batch& batch);
  Pairs represent(const Encoded& encoded, const DocumentInput& input, bool explain) const;
  bool metric() const { return !classes_.is_empty(); }
  at::Tensor class_embeddings() const;

  std::shared_ptr<Encoder> encoder_;
  std::optional<Graphed> graphed_;  ///< none where the encoder is another network's
  torch::nn::Linear head_extractor_{nullptr};
  torch::nn::Linear tail_extractor_{nullptr};
  torch::nn::Linear bilinear_{nullptr};
  torch::nn::Embedding classes_{nullptr};  ///< metric head only
  torch::nn::Linear class_linear_{nullptr};
  std::int64_t block_;
  std::int64_t last_;
  double context_eps_;
  std::int64_t window_ends_;
  double evidence_weight_;
  double scale_;
};

/// KL divergence of the attention on sentences from the normalised counts of evidence, averaged over pairs with a
/// positive label (docre.md 5.3).
at::Tensor evidence_loss(const at::Tensor& importance, const at::Tensor& counts, const at::Tensor& labels);

/// {"network": "dreeam", "encoder": {config.json}, "outputs", "width": of a pair's vectors, "block": of the groups,
/// "layers": that are averaged, "context_eps", "window_ends", "evidence_weight", "head": "bilinear" or "metric",
/// "scale": of the metric head}
std::shared_ptr<Network> create_dreeam(const nlohmann::json& architecture);

}  // namespace mlpac
