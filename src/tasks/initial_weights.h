// What --init names: a run of this program, or a file of weights that somebody else trained for something else.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "methods/method.h"

namespace mlpac {

struct InitialWeights {
  Weights weights;
  bool trained = false;  ///< for the labels at hand: no pre-training is needed
};

/// The weights of a run folder, all of them. From a file, a PyTorch state dict or safetensors: those of the network's
/// body; the last layer is drawn anew unless it fits. Throws Error that lists everything that does not fit.
InitialWeights initial_weights(const std::filesystem::path& path, const nlohmann::json& architecture,
                               std::uint64_t seed);

}  // namespace mlpac
