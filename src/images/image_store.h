// Images in a store: lists of JPEG and PNG files keep their encoded bytes, so the store is as large as the files
// together; tables of small images of one size keep their pixels.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/mapped_file.h"
#include "data/store_writer.h"
#include "images/image_source.h"
#include "mlpac/image_list.h"
#include "mlpac/image_table.h"

namespace mlpac {

/// A list whose images are read through a source.
struct SourcedImages {
  ImageList list;
  bool labelled = true;  ///< false: nothing says what the images show
  std::shared_ptr<const ImageSource> source;
};

/// Writes the files of a list one after the other; the bytes of the store. `progress` is told the share that is done.
std::uint64_t write_image_store(const std::filesystem::path& path, const ImageList& list, bool labelled, bool overwrite,
                                const std::function<void(double)>& progress);

/// `label_names`: those of a model or of the training images; empty: those of the store.
SourcedImages open_image_store(const std::filesystem::path& path, const std::vector<std::string>& label_names);
SourcedImages open_image_store(const std::shared_ptr<const Store>& store, const std::vector<std::string>& label_names);

/// Images of one size and one class each, in memory or in a store.
struct PixelTable {
  int width = 0;
  int height = 0;
  std::span<const std::uint8_t> pixels;  ///< as in ImageTable
  std::vector<std::int32_t> classes;
  std::vector<std::string> class_names;
  std::vector<std::string> names;
  std::shared_ptr<const MappedFile> file;  ///< null: the pixels are in memory
  std::shared_ptr<const void> owner;

  std::size_t size() const { return classes.size(); }
  std::size_t image_bytes() const { return std::size_t{3} * static_cast<std::size_t>(width * height); }
};

PixelTable pixel_table(ImageTable table);

/// Writes tables of images one after the other.
class PixelStoreWriter {
 public:
  /// The size and the classes of all images.
  PixelStoreWriter(const std::filesystem::path& path, int width, int height, std::vector<std::string> class_names,
                   bool overwrite);
  void append(const ImageTable& table);
  void commit();
  std::size_t size() const { return classes_.size(); }
  std::uint64_t bytes() const { return writer_.bytes(); }

 private:
  int width_;
  int height_;
  StoreWriter writer_;
  std::size_t pixels_;
  std::vector<std::int32_t> classes_;
  std::vector<std::string> class_names_;
  std::vector<std::string> names_;
};

PixelTable open_pixel_store(const std::filesystem::path& path);
PixelTable open_pixel_store(const std::shared_ptr<const Store>& store);

/// The images of such a table one by one.
std::shared_ptr<const ImageSource> source_of_pixels(PixelTable table);

}  // namespace mlpac
