// ResNet (He et al., CVPR 2016) with the parameter names and the initialisation of torchvision, so that its weights
// load as they are.
#pragma once

#include "nn/network.h"

namespace mlpac {

/// {"outputs": n, "stem": "standard", "half" or "small", "layers": [2, 2, 2, 2], "width": 1.0}; all but the first are
/// those of the name unless given. The small stem is for images of up to 64 pixels: a 3 x 3 convolution at every pixel
/// and no pooling in place of two steps that leave a quarter of the sides. The half one has it at every other pixel:
/// a quarter of the small one's work.
std::shared_ptr<Network> create_resnet18(const nlohmann::json& architecture);
std::shared_ptr<Network> create_resnet50(const nlohmann::json& architecture);

}  // namespace mlpac
