// Lists of images in CSV files: `file,label label ...`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/image_list.h"

namespace mlpac {

/// The list of images that a text describes; read_image_csv does the same for a file.
ImageList parse_image_csv(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                          const ImageListOptions& options);

}  // namespace mlpac
