// Small images of one size as a data set: bytes in memory, on the device that uses them.
#pragma once

#include <memory>

#include "mlpac/image_table.h"
#include "train/problem.h"

namespace mlpac {

/// Pixels are divided by 255. `augment`: while training, images are shifted by up to 4 pixels and mirrored, by keyed
/// draws.
std::shared_ptr<const Dataset> image_rows(const ImageTable& images, bool augment);

}  // namespace mlpac
