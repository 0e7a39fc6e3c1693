// Networks for rows of numbers. With "sparse": true in the architecture a batch's inputs are the three parts of
// SparseRows and the first layer costs as much as there are stored values; otherwise they are one dense matrix.
#pragma once

#include "nn/network.h"

namespace mlpac {

/// {"network": "linear", "inputs", "outputs"}
std::shared_ptr<Network> create_linear(const nlohmann::json& architecture);
/// {"network": "mlp", "inputs", "outputs", "widths": [...], "dropout"}
std::shared_ptr<Network> create_mlp(const nlohmann::json& architecture);

}  // namespace mlpac
