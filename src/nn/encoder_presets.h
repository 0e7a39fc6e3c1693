// Shapes of encoders that begin with random weights.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace mlpac {

struct EncoderPreset {
  std::string_view name;
  std::string_view summary;
  std::int64_t layers;
  std::int64_t hidden;
  std::int64_t heads;
  std::int64_t intermediate;
};

std::span<const EncoderPreset> encoder_presets();

/// The config.json of a preset; `roberta`: positions and padding as that model counts them.
nlohmann::json preset_config(std::string_view name, std::int64_t vocabulary, bool roberta);

}  // namespace mlpac
