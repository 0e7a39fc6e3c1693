// One category of images against all others, when only some images of it are annotated.
#pragma once

#include "tasks/task.h"

namespace mlpac {

Problem load_binary_pu(const Options& options);
Application apply_binary_pu(const nlohmann::json& description, const Options& options, bool labels_required);
std::string pack_binary_pu(const PackRequest& request);

}  // namespace mlpac
