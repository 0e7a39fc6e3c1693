// COCO annotations: what is kept of a file, the parser that finds it, and the list it becomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "images/list_builder.h"
#include "mlpac/image_list.h"

namespace mlpac {

/// Of each entry only what labels need; `at` is its position in the array of the file.
struct CocoImage {
  std::int64_t id = 0;
  std::string file_name;
  std::size_t at = 0;
};
struct CocoCategory {
  std::int64_t id = 0;
  std::string name;
  std::size_t at = 0;
};
struct CocoAnnotation {
  std::int64_t image = 0;
  std::int64_t category = 0;
  std::int64_t id = 0;
  bool has_id = false;
  std::size_t at = 0;
};
struct CocoContent {
  std::vector<CocoImage> images;
  std::vector<CocoCategory> categories;
  std::vector<CocoAnnotation> annotations;
};

/// Parses a text, or a file as a stream. Throws Error for what is no JSON or lacks one of the three arrays; an entry
/// without a field it needs is reported.
CocoContent parse_coco(std::string_view text, const std::string& source, Reporter& report);
CocoContent parse_coco(const std::filesystem::path& path, Reporter& report);

/// The list of images that a text describes; read_coco does the same for a file.
ImageList parse_coco_list(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                          const ImageListOptions& options);

}  // namespace mlpac
