#include "nn/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/biased_linear.h"
#include "nn/draws.h"
#include "nn/reduced_weights.h"

namespace mlpac {

namespace {

using torch::nn::Linear;

/// A module that only gives its members a common prefix.
class Group : public torch::nn::Module {
 public:
  template <typename T>
  T add(const std::string& name, T member) {
    return register_module(name, std::move(member));
  }
};

at::Tensor run_layer(const Linear& layer, const at::Tensor& x, const ReducedWeights& weights) {
  return biased_linear(x, weights(layer->weight), weights(layer->bias));
}

at::Tensor run_layer(const torch::nn::LayerNorm& layer, const at::Tensor& x, const ReducedWeights& weights) {
  return at::layer_norm(x, layer->options.normalized_shape(), weights(layer->weight), weights(layer->bias),
                        layer->options.eps());
}

torch::nn::LayerNorm layer_norm(const EncoderConfig& config) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({config.hidden}).eps(config.eps));
}

Linear linear(std::int64_t inputs, std::int64_t outputs) { return Linear(torch::nn::LinearOptions(inputs, outputs)); }

/// Position of every token; RoBERTa's skip padding, and begin after its id.
at::Tensor position_ids(const at::Tensor& ids, std::int64_t padding) {
  if (padding < 0) return at::arange(ids.size(1), ids.options()).unsqueeze(0).expand_as(ids);
  const auto counted = (ids != padding).to(ids.scalar_type());
  return counted.cumsum(1) * counted + padding;
}

}  // namespace

EncoderConfig read_encoder_config(const nlohmann::json& config, const std::string& source) {
  const auto whole = [&](const char* name) {
    const auto it = config.find(name);
    if (it == config.end() || !it->is_number_integer() || it->get<std::int64_t>() < 1) {
      throw Error(fmt::format("{}: '{}' should be a whole number of at least 1", source, name));
    }
    return it->get<std::int64_t>();
  };
  const auto kind = config.value("model_type", std::string());
  if (kind != "bert" && kind != "roberta") {
    throw Error(fmt::format("{}: model_type is '{}', expected bert or roberta", source, kind));
  }
  if (const auto act = config.value("hidden_act", std::string("gelu")); act != "gelu") {
    throw Error(fmt::format("{}: hidden_act is '{}', expected gelu", source, act));
  }
  EncoderConfig result;
  result.hidden = whole("hidden_size");
  result.layers = whole("num_hidden_layers");
  result.heads = whole("num_attention_heads");
  result.intermediate = whole("intermediate_size");
  result.vocabulary = whole("vocab_size");
  result.positions = whole("max_position_embeddings");
  result.types = whole("type_vocab_size");
  result.eps = config.value("layer_norm_eps", 1e-12);
  result.dropout = config.value("hidden_dropout_prob", 0.1);
  result.attention_dropout = config.value("attention_probs_dropout_prob", 0.1);
  if (kind == "roberta") result.padding = config.value("pad_token_id", std::int64_t{1});
  if (result.hidden % result.heads != 0) {
    throw Error(fmt::format("{}: hidden_size {} is no multiple of num_attention_heads {}", source, result.hidden,
                            result.heads));
  }
  return result;
}

class Encoder::Embeddings : public torch::nn::Module {
 public:
  explicit Embeddings(const EncoderConfig& config)
      : config_(config),
        words_(register_module("word_embeddings", torch::nn::Embedding(config.vocabulary, config.hidden))),
        positions_(register_module("position_embeddings", torch::nn::Embedding(config.positions, config.hidden))),
        types_(register_module("token_type_embeddings", torch::nn::Embedding(config.types, config.hidden))),
        norm_(register_module("LayerNorm", layer_norm(config))) {}

  at::Tensor forward(const at::Tensor& ids, KeyedDropout* dropout) {
    const auto x = words_->forward(ids) + types_->weight[0] + positions_->forward(position_ids(ids, config_.padding));
    const auto y = norm_->forward(x);
    return dropout != nullptr ? (*dropout)(y, config_.dropout) : y;
  }

 private:
  EncoderConfig config_;
  torch::nn::Embedding words_;
  torch::nn::Embedding positions_;
  torch::nn::Embedding types_;
  torch::nn::LayerNorm norm_;
};

class Encoder::Layer : public torch::nn::Module {
 public:
  explicit Layer(const EncoderConfig& config) : config_(config) {
    const auto attention = register_module("attention", std::make_shared<Group>());
    const auto self = attention->add("self", std::make_shared<Group>());
    query_ = self->add("query", linear(config.hidden, config.hidden));
    key_ = self->add("key", linear(config.hidden, config.hidden));
    value_ = self->add("value", linear(config.hidden, config.hidden));
    const auto mixed = attention->add("output", std::make_shared<Group>());
    mix_ = mixed->add("dense", linear(config.hidden, config.hidden));
    mix_norm_ = mixed->add("LayerNorm", layer_norm(config));
    widen_ = register_module("intermediate", std::make_shared<Group>())
                 ->add("dense", linear(config.hidden, config.intermediate));
    const auto output = register_module("output", std::make_shared<Group>());
    narrow_ = output->add("dense", linear(config.intermediate, config.hidden));
    norm_ = output->add("LayerNorm", layer_norm(config));
  }

  /// `bias` is added to attention logits: 0, or -inf for padding. Fills `attention` if it is asked for.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& bias, const ReducedWeights& weights, at::Tensor* attention,
                     KeyedDropout* dropout) {
    const auto split = [&](const at::Tensor& y) {  // [sequences x heads x length x width]
      return y.view({y.size(0), y.size(1), config_.heads, -1}).transpose(1, 2);
    };
    const auto all = [&](auto part) {  // one product for the three of them
      return at::cat({weights(part(query_)), weights(part(key_)), weights(part(value_))});
    };
    const auto qkv = biased_linear(x, all([](const Linear& layer) { return layer->weight; }),
                                   all([](const Linear& layer) { return layer->bias; }))
                         .split(x.size(2), 2);
    const auto q = split(qkv[0]);
    const auto k = split(qkv[1]);
    const auto v = split(qkv[2]);
    const double dropped = dropout != nullptr ? config_.attention_dropout : 0;
    at::Tensor context;
    if (attention == nullptr && (dropped == 0 || !x.device().is_cpu())) {  // on the CPU its dropout has no key
      context = fused_attention(q, k, v, bias, dropped);
    } else {
      const auto logits = at::matmul(q / std::sqrt(static_cast<double>(q.size(3))), k.transpose(2, 3));
      auto probabilities = (logits + bias).softmax(-1);
      if (dropped > 0) probabilities = (*dropout)(probabilities, dropped);
      if (attention != nullptr) *attention = probabilities;  // as the common implementation returns them
      context = at::matmul(probabilities.to(v.scalar_type()), v);
    }
    const auto drop = [&](const at::Tensor& y) { return dropout != nullptr ? (*dropout)(y, config_.dropout) : y; };
    const auto joined = context.transpose(1, 2).reshape(x.sizes());
    const auto y = run_layer(mix_norm_, drop(run_layer(mix_, joined, weights)) + x, weights);
    return run_layer(norm_, drop(run_layer(narrow_, at::gelu(run_layer(widen_, y, weights)), weights)) + y, weights);
  }

 private:
  EncoderConfig config_;
  Linear query_{nullptr}, key_{nullptr}, value_{nullptr}, mix_{nullptr}, widen_{nullptr}, narrow_{nullptr};
  torch::nn::LayerNorm mix_norm_{nullptr}, norm_{nullptr};
};

Encoder::Encoder(const EncoderConfig& config)
    : config_(config), embeddings_(register_module("embeddings", std::make_shared<Embeddings>(config))) {
  const auto stack = register_module("encoder", std::make_shared<Group>())
                         ->add("layer", std::make_shared<torch::nn::ModuleListImpl>());
  for (std::int64_t i = 0; i < config.layers; ++i) {
    layers_.push_back(std::make_shared<Layer>(config));
    stack->push_back(layers_.back());
  }
}

Encoded Encoder::forward(const at::Tensor& ids, const at::Tensor& mask, std::int64_t last, const Visit& visit,
                         KeyedDropout* dropout) {
  if (!is_training()) dropout = nullptr;
  // Autocast would keep everything between the matrix products in float32 and cast to and fro.
  const bool reduced = ids.is_cuda() && Autocast::active(at::kCUDA);
  std::optional<c10::impl::ExcludeDispatchKeyGuard> own_types;
  if (reduced) own_types.emplace(c10::autocast_dispatch_keyset);
  auto x = embeddings_->forward(ids, dropout);
  ReducedWeights weights;
  if (reduced) {
    std::vector<at::Tensor> parameters;
    for (const auto& layer : layers_) {
      for (const auto& parameter : layer->parameters()) parameters.push_back(parameter);
    }
    weights = ReducedWeights(parameters);
    x = x.to(at::kBFloat16);
  }
  if (visit) visit(-1, x, {});
  const auto bias = at::zeros(mask.sizes(), x.options())
                        .masked_fill_(mask == 0, -std::numeric_limits<float>::infinity())
                        .view({mask.size(0), 1, 1, mask.size(1)});
  Encoded result;
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    const bool used = i >= config_.layers - last;
    at::Tensor attention;
    x = layers_[static_cast<std::size_t>(i)]->forward(x, bias, weights, used || visit ? &attention : nullptr, dropout);
    if (visit) visit(i, x, attention);
    if (!used) continue;
    result.hidden = result.hidden.defined() ? result.hidden + x : x;
    result.attention = result.attention.defined() ? result.attention + attention : attention;
  }
  const auto count = static_cast<double>(std::min(last, config_.layers));
  return {result.hidden / count, result.attention / count};
}

void Encoder::initialise(std::uint64_t seed, const std::string& stream) {
  constexpr double kDeviation = 0.02;
  const at::NoGradGuard no_grad;
  for (const auto& item : named_parameters()) {
    auto value = item.value();
    if (value.dim() > 1) {
      fill_normal(value, stream_key(seed, fmt::format("init.{}.{}", stream, item.key())), kDeviation);
    } else {
      value.fill_(item.key().ends_with("LayerNorm.weight") ? 1 : 0);
    }
  }
}

}  // namespace mlpac
