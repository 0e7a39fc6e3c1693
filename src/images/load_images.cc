#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "images/in_order.h"
#include "mlpac/error.h"
#include "mlpac/image.h"
#include "mlpac/image_table.h"

namespace mlpac {
namespace {

void require_size(const Image& image, const std::filesystem::path& path, const ImageTable& table,
                  const std::filesystem::path& first) {
  if (image.width == table.width && image.height == table.height) return;
  throw Error(fmt::format("{}: is {} x {} pixels, expected {} x {} as {} has; give a size to which all are resized",
                          path.string(), image.width, image.height, table.width, table.height, first.string()));
}

/// Room for all pixels at once; they are written by number from several threads.
void allocate(ImageTable& table, std::size_t images) {
  try {
    table.pixels.resize(table.image_bytes() * images);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{} images of {} x {} pixels do not fit into memory, expected {} MB; choose a smaller size",
                            images, table.width, table.height, table.image_bytes() * images >> 20U));
  } catch (const std::length_error&) {
    throw Error(fmt::format("{} images of {} x {} pixels fit into no memory; choose a smaller size", images,
                            table.width, table.height));
  }
}

}  // namespace

ImageTable load_images(const ClassFolders& list, const LoadOptions& options) {
  const std::size_t count = list.files.size();
  const bool resized = options.width > 0 && options.height > 0;
  if (!resized && (options.width != 0 || options.height != 0)) {
    throw Error(
        fmt::format("images of {} x {} pixels, expected two positive sides or none", options.width, options.height));
  }
  ImageTable table;
  table.class_names = list.class_names;
  if (count == 0) return table;
  if (resized) {
    table.width = options.width;
    table.height = options.height;
  } else {
    const Image first = read_image(list.files.front());
    table.width = first.width;
    table.height = first.height;
  }
  allocate(table, count);
  const DecodeOptions decode{.at_least = resized ? std::max(options.width, options.height) : 0};
  const auto load = [&](std::size_t i) {
    Image image = read_image(list.files[i], decode);
    if (resized) image = resize(image, options.width, options.height);
    require_size(image, list.files[i], table, list.files.front());
    std::copy(image.rgb.begin(), image.rgb.end(),
              table.pixels.begin() + static_cast<std::ptrdiff_t>(table.image_bytes() * i));
  };
  const std::size_t loaded = run_in_order(count, options.threads, load, options.stopped);
  if (loaded < count) throw Error(fmt::format("loading was stopped after {} of {} images", loaded, count));
  table.classes = list.classes;
  for (const std::filesystem::path& path : list.files) table.names.push_back(path.string());
  return table;
}

}  // namespace mlpac
