#include "images/encode_jpeg.h"

#include <fmt/format.h>
// jpeglib.h needs FILE and size_t before it.
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

/// Errors leave the library as exceptions, as in the decoder.
class JpegEncoder {
 public:
  JpegEncoder() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = on_error;
    jpeg_create_compress(&info_);
    jpeg_mem_dest(&info_, &buffer_, &size_);
  }
  JpegEncoder(const JpegEncoder&) = delete;
  JpegEncoder& operator=(const JpegEncoder&) = delete;
  ~JpegEncoder() {
    jpeg_destroy_compress(&info_);
    std::free(buffer_);  // NOLINT: libjpeg took it with malloc
  }

  std::string encode(const Image& image, int quality) {
    info_.image_width = static_cast<JDIMENSION>(image.width);
    info_.image_height = static_cast<JDIMENSION>(image.height);
    info_.input_components = 3;
    info_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info_);
    jpeg_set_quality(&info_, quality, TRUE);
    info_.optimize_coding = TRUE;
    jpeg_start_compress(&info_, TRUE);
    const std::size_t row_bytes = std::size_t{3} * info_.image_width;
    std::vector<std::uint8_t> line(row_bytes);  // the library wants rows it might write to
    while (info_.next_scanline < info_.image_height) {
      const auto first = image.rgb.begin() + static_cast<std::ptrdiff_t>(row_bytes * info_.next_scanline);
      line.assign(first, first + static_cast<std::ptrdiff_t>(row_bytes));
      JSAMPROW row = line.data();
      jpeg_write_scanlines(&info_, &row, 1);
    }
    jpeg_finish_compress(&info_);
    return {buffer_, buffer_ + size_};
  }

 private:
  [[noreturn]] static void on_error(j_common_ptr info) {
    std::array<char, JMSG_LENGTH_MAX> text{};
    info->err->format_message(info, text.data());
    throw Error(fmt::format("an image cannot be written as JPEG: {}", text.data()));
  }

  jpeg_compress_struct info_{};
  jpeg_error_mgr errors_{};
  unsigned char* buffer_ = nullptr;
  unsigned long size_ = 0;  // NOLINT(google-runtime-int): as libjpeg declares it
};

}  // namespace

std::string encode_jpeg(const Image& image, int quality) { return JpegEncoder().encode(image, quality); }

}  // namespace mlpac
