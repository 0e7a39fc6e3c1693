#include "images/image_source.h"

#include <utility>

namespace mlpac {

namespace {

class ImageFiles : public ImageSource {
 public:
  explicit ImageFiles(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}

  std::size_t size() const override { return files_.size(); }
  Image read(std::size_t image, const DecodeOptions& options) const override {
    return read_image(files_[image], options);
  }
  std::filesystem::path file(std::size_t image) const override { return files_[image]; }
  std::uint64_t bytes(std::size_t image) const override {
    std::error_code error;
    const auto size = std::filesystem::file_size(files_[image], error);
    return error ? 0 : size;
  }

 private:
  std::vector<std::filesystem::path> files_;
};

}  // namespace

std::shared_ptr<const ImageSource> source_of_files(std::vector<std::filesystem::path> files) {
  return std::make_shared<ImageFiles>(std::move(files));
}

}  // namespace mlpac
