// Images as a data set: bytes in memory, on the device that uses them, or files and stores from which they are decoded
// whenever they are used.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "images/image_store.h"
#include "mlpac/augment.h"
#include "mlpac/options.h"
#include "train/problem.h"

namespace mlpac {

/// The network that the options ask for, for images of so many pixels a side.
nlohmann::json image_architecture(const Options& options, int side, std::int64_t outputs);

/// How an image becomes the input of a network.
struct ImageRecipe {
  int size = 0;  ///< pixels a side
  bool upright = false;
  PixelNormalisation normalisation = {};
  // While training, by keyed draws:
  bool shift = false;         ///< by up to 4 pixels, and mirrored: on the device
  bool flip = false;          ///< mirrored; this and what follows is done by threads of the host, in this order
  double cutout = 0;          ///< side of a square that is filled, as a share of the image's; 0: none
  bool rand_augment = false;  ///< two operations of RandAugment
};

/// An image of a source in the size of the recipe. Throws Error that names the file.
Image load_image(const ImageSource& source, std::size_t image, const ImageRecipe& recipe);

struct ImageMemory {
  std::int64_t bytes = 0;  ///< images are kept decoded if they fit
  int threads = 0;         ///< that decode them; 0: one for each core
  std::function<bool()> stopped = [] { return false; };
};

/// What a batch holds does not depend on whether images are kept.
std::shared_ptr<const Dataset> image_items(std::shared_ptr<const ImageSource> source, const ImageRecipe& recipe,
                                           const ImageMemory& memory);

/// Images whose pixels are known already. Those of a store are kept if they fit.
std::shared_ptr<const Dataset> image_rows(const PixelTable& images, const ImageRecipe& recipe,
                                          const ImageMemory& memory);

}  // namespace mlpac
