// The convolutional network of PU learning on CIFAR-10 (Kiryo et al. 2017, Su et al. 2021), "CNN-13".
#pragma once

#include "nn/network.h"

namespace mlpac {

/// architecture: {"network": "cnn13", "channels": c, "size": side of the square images, "outputs": n}. The batch's
/// input is [rows x channels x size x size], float32.
std::shared_ptr<Network> create_cnn13(const nlohmann::json& architecture);

}  // namespace mlpac
