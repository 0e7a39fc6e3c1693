// Encoded images wherever they lie: files of their own, or parts of a store. What trains reads them through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "mlpac/image.h"

namespace mlpac {

/// Any thread may read any image.
class ImageSource {
 public:
  virtual ~ImageSource() = default;
  virtual std::size_t size() const = 0;
  /// Throws Error that names the image.
  virtual Image read(std::size_t image, const DecodeOptions& options) const = 0;
  /// The file it was found in.
  virtual std::filesystem::path file(std::size_t image) const = 0;
  /// Bytes of that file; 0 if it cannot be asked.
  virtual std::uint64_t bytes(std::size_t image) const = 0;
  /// The images will be read soon.
  virtual void will_need(std::span<const std::int64_t> /*images*/) const {}
};

std::shared_ptr<const ImageSource> source_of_files(std::vector<std::filesystem::path> files);

}  // namespace mlpac
