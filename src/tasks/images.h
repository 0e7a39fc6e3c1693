// Images with any number of labels each, of which some are annotated.
#pragma once

#include "tasks/task.h"

namespace mlpac {

Problem load_image_labels(const Options& options);
Application apply_image_labels(const nlohmann::json& description, const Options& options, bool labels_required);
std::string pack_images(const PackRequest& request);

}  // namespace mlpac
