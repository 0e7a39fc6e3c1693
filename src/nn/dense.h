// Networks for rows of numbers.
#pragma once

#include "nn/network.h"

namespace mlpac {

/// {"network": "linear", "inputs", "outputs"}
std::shared_ptr<Network> create_linear(const nlohmann::json& architecture);
/// {"network": "mlp", "inputs", "outputs", "widths": [...], "dropout"}
std::shared_ptr<Network> create_mlp(const nlohmann::json& architecture);

}  // namespace mlpac
