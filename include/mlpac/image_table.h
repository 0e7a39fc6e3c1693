// Many images of one size and one class each, and where they come from: folders of classes, CIFAR batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mlpac/image.h"

namespace mlpac {

struct ImageTable {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;   ///< images one after the other, each height x width x 3 bytes as in Image
  std::vector<std::int32_t> classes;  ///< of each image, a position in class_names
  std::vector<std::string> class_names;
  std::vector<std::string> names;  ///< of each image: its file, or file and position

  std::size_t size() const { return classes.size(); }
  std::size_t image_bytes() const {
    return std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  std::span<const std::uint8_t> image(std::size_t i) const {
    return {pixels.data() + image_bytes() * i, image_bytes()};
  }
};

/// The image files of a folder with one sub-folder per class.
struct ClassFolders {
  std::vector<std::string> class_names;      ///< the sub-folders, sorted
  std::vector<std::filesystem::path> files;  ///< by class, then by name
  std::vector<std::int32_t> classes;         ///< of each file
};

/// Lists FOLDER/CLASS/FILE for all files that end in .jpg, .jpeg or .png, in any case; hidden files and folders and
/// other files are skipped. Names are sorted byte by byte. Throws Error if there is no class, if a class has no image
/// or has folders within, and for what cannot be read. Links are followed to files and classes, nowhere else.
ClassFolders list_class_folders(const std::filesystem::path& folder);

/// The same for images that nobody may have sorted: a folder without sub-folders is one class without a name.
ClassFolders list_images(const std::filesystem::path& folder);

struct LoadOptions {
  /// The size of all images; another one is resized to it. 0: the size of the first image, and another one is an error.
  int width = 0;
  int height = 0;
  /// Threads that decode; 0: one for each core. The result is the same for all numbers.
  int threads = 0;
  /// Asked between images, by the calling thread only; true ends loading with an Error.
  std::function<bool()> stopped = [] { return false; };
};

/// Decodes all files. If several cannot be used, the Error is that of the first in the list.
ImageTable load_images(const ClassFolders& list, const LoadOptions& options = {});

/// Training and test images of CIFAR.
struct CifarData {
  ImageTable train;
  ImageTable test;
};

/// Whether the folder has such binary files.
bool is_cifar(const std::filesystem::path& folder);

/// Reads the binary version of CIFAR-10 (data_batch_1.bin to data_batch_5.bin, test_batch.bin) or of CIFAR-100
/// (train.bin, test.bin; its 100 fine classes) from the folder with these files. Names of classes come from
/// batches.meta.txt, for which there is a substitute, or from fine_label_names.txt, for which there is none.
CifarData read_cifar(const std::filesystem::path& folder);

}  // namespace mlpac
