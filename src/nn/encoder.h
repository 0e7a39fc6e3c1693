// BERT and RoBERTa: sequences of sub-word ids to vectors, with the parameter names of Hugging Face's state dicts.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "nn/keyed_dropout.h"
#include "nn/torch.h"

namespace mlpac {

/// What config.json of a pre-trained encoder says.
struct EncoderConfig {
  std::int64_t hidden = 768;
  std::int64_t layers = 12;
  std::int64_t heads = 12;
  std::int64_t intermediate = 3072;
  std::int64_t vocabulary = 28996;
  std::int64_t positions = 512;
  std::int64_t types = 2;
  double eps = 1e-12;
  double dropout = 0.1;
  double attention_dropout = 0.1;
  /// RoBERTa: the id that has no position of its own; others are counted from the number after it. -1: BERT, all
  /// positions count from 0.
  std::int64_t padding = -1;
};

/// Throws Error that names what is missing or not supported in `source`.
EncoderConfig read_encoder_config(const nlohmann::json& config, const std::string& source);

/// Tokens of the longest sequence that an encoder has positions for.
inline std::int64_t longest_sequence(const EncoderConfig& config) {
  return config.positions - (config.padding < 0 ? 0 : config.padding + 1);
}

struct Encoded {
  at::Tensor hidden;     ///< [sequences x length x hidden]: mean of the last layers' outputs
  at::Tensor attention;  ///< [sequences x heads x length x length]: mean of the last layers' probabilities
};

class Encoder : public torch::nn::Module {
 public:
  explicit Encoder(const EncoderConfig& config);

  /// Of the embeddings (layer -1) and of every layer; `attention` is undefined where it was not needed.
  using Visit = std::function<void(std::int64_t layer, const at::Tensor& hidden, const at::Tensor& attention)>;
  /// `ids` [sequences x length], `mask` the same with 0 for padding. Attention probabilities are kept for the `last`
  /// layers only: elsewhere fused attention never writes them down. In training mode values are dropped by `dropout`;
  /// null: none are.
  Encoded forward(const at::Tensor& ids, const at::Tensor& mask, std::int64_t last, const Visit& visit = {},
                  KeyedDropout* dropout = nullptr);

  std::int64_t longest() const { return longest_sequence(config_); }

  /// As both were trained from scratch: normal with deviation 0.02, biases 0.
  void initialise(std::uint64_t seed, const std::string& stream);

  const EncoderConfig& config() const { return config_; }

 private:
  class Embeddings;
  class Layer;
  EncoderConfig config_;
  std::shared_ptr<Embeddings> embeddings_;
  std::vector<std::shared_ptr<Layer>> layers_;
};

}  // namespace mlpac
