// FOLDER/CLASS/FILE. Only two levels are looked at, so that no loop of links can be entered.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/image_table.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings{".jpg", ".jpeg", ".png"};

bool is_image_name(const fs::path& path) {
  const std::string ending = path.extension().string();
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view known) { return equals_ignoring_case(ending, known); });
}

/// Everything in the folder that is not hidden, sorted by name.
std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (it->path().filename().string().front() != '.') paths.push_back(it->path());
  }
  if (error) {
    throw Error(
        fmt::format("{}: the folder cannot be read ({}), expected sub-folders with images; check the path and its "
                    "permissions",
                    folder.string(), error.message()));
  }
  std::sort(paths.begin(), paths.end(), [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
  return paths;
}

/// What the path leads to; a link that leads nowhere or in a circle is an error.
fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none || status.type() == fs::file_type::not_found) {
    throw Error(fmt::format("{}: cannot be read ({}), expected an image or a folder of images; remove or repair it",
                            path.string(), error ? error.message() : "a link that leads nowhere"));
  }
  return status.type();
}

void append_class(const fs::path& folder, ClassFolders& list) {
  const auto number = static_cast<std::int32_t>(list.class_names.size());
  const std::size_t before = list.files.size();
  for (const fs::path& path : entries(folder)) {
    const bool image = is_image_name(path);
    // Other files may lead anywhere; folders would be images that are silently left out.
    std::error_code ignored;
    if (!image && !fs::is_directory(path, ignored)) continue;
    if (type_of(path) == fs::file_type::directory) {
      throw Error(
          fmt::format("{}: is a folder within the class {}, expected images; name the folder whose sub-folders are "
                      "the classes, such as {}",
                      path.string(), in_quotes(folder.filename().string()), folder.string()));
    }
    list.files.push_back(path);
    list.classes.push_back(number);
  }
  if (list.files.size() == before) {
    throw Error(
        fmt::format("{}: has no images, expected .jpg, .jpeg or .png files; remove the folder if this is no class",
                    folder.string()));
  }
  list.class_names.push_back(to_utf8(folder.filename().string()));
}

ClassFolders list_sub_folders(const fs::path& folder) {
  ClassFolders list;
  for (const fs::path& path : entries(folder)) {
    if (type_of(path) == fs::file_type::directory) append_class(path, list);
  }
  return list;
}

}  // namespace

ClassFolders list_images(const fs::path& folder) {
  ClassFolders list = list_sub_folders(folder);
  if (!list.class_names.empty()) return list;
  append_class(folder, list);
  list.class_names.front().clear();
  return list;
}

ClassFolders list_class_folders(const fs::path& folder) {
  ClassFolders list = list_sub_folders(folder);
  if (list.class_names.empty()) {
    throw Error(fmt::format("{}: has no sub-folders, expected one with images for each class", folder.string()));
  }
  return list;
}

}  // namespace mlpac
