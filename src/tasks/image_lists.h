// Which images --train, --test and --data mean, and the labels they have: annotations of COCO, a folder of Pascal VOC,
// a CSV list, a store, or a folder of images without labels.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "images/image_store.h"
#include "mlpac/options.h"

namespace mlpac {

enum class ImageRole { train, test, data };

/// Reads the list that the option of a role names. `label_names`: those of a model or of the training images; empty:
/// those of the list. Images that cannot be decoded are found, too: an Error, or left out, as --on-error says.
SourcedImages find_images(const Options& options, ImageRole role, const std::vector<std::string>& label_names);
/// The same for another path, all of whose images are looked at.
SourcedImages find_images_in(const std::filesystem::path& path, const Options& options, ImageRole role,
                             const std::vector<std::string>& label_names);

/// What was left out, for people: some messages and numbers.
std::vector<std::string> skip_warnings(const Skipped& skipped, const std::string& source);

}  // namespace mlpac
