// The files of an encoder in Hugging Face's layout: what shape it has, and its weights.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "nn/network.h"

namespace mlpac {

/// config.json of a folder; Error if it is not there or no JSON object.
nlohmann::json read_config_json(const std::filesystem::path& folder);

/// The weights of a folder (model.safetensors or pytorch_model.bin) under the names that `network` has for its encoder.
/// What language models have beside the encoder is passed over; Error lists everything else that does not fit.
std::map<std::string, at::Tensor> read_encoder_weights(const std::filesystem::path& folder, const Network& network);

}  // namespace mlpac
