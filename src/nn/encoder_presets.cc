#include "nn/encoder_presets.h"

#include <array>

#include "core/names.h"

namespace mlpac {

namespace {

constexpr std::array<EncoderPreset, 5> kPresets{{
    {"tiny", "2 layers, 64 wide: to try things out", 2, 64, 2, 128},
    {"small", "4 layers, 256 wide: learns from a thousand documents", 4, 256, 4, 1024},
    {"medium", "6 layers, 384 wide", 6, 384, 6, 1536},
    {"base", "12 layers, 768 wide: the shape of BERT-base", 12, 768, 12, 3072},
    {"large", "24 layers, 1024 wide: the shape of RoBERTa-large", 24, 1024, 16, 4096},
}};

}  // namespace

std::span<const EncoderPreset> encoder_presets() { return kPresets; }

nlohmann::json preset_config(std::string_view name, std::int64_t vocabulary, bool roberta) {
  const auto& preset = kPresets[index_of(name, kPresets, "encoder preset")];
  constexpr std::int64_t kPositions = 512;
  nlohmann::json config{{"model_type", roberta ? "roberta" : "bert"},
                        {"hidden_size", preset.hidden},
                        {"num_hidden_layers", preset.layers},
                        {"num_attention_heads", preset.heads},
                        {"intermediate_size", preset.intermediate},
                        {"vocab_size", vocabulary},
                        {"max_position_embeddings", roberta ? kPositions + 2 : kPositions},
                        {"type_vocab_size", 1},
                        {"layer_norm_eps", 1e-5}};
  if (roberta) config["pad_token_id"] = 1;
  return config;
}

}  // namespace mlpac
