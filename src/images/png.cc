// PNG, with libpng. As with JPEG, errors leave the library as exceptions and the destructor frees what it took.
#include <png.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "images/decoders.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

/// The most that deflate can do.
constexpr double kBestCompression = 1032;

class PngDecoder {
 public:
  PngDecoder(std::span<const std::uint8_t> bytes, const std::string& name)
      : rest_(bytes),
        size_(bytes.size()),
        name_(name),
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning)),
        info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {}
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

  Image decode() {
    if (info_ == nullptr) fail_damaged(name_, "PNG", "libpng cannot be started");
    png_set_read_fn(png_, this, on_read);
    // Our own limits come first; texts and profiles, which can unpack to megabytes, are not read at all.
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
    const png_uint_32 width = png_get_image_width(png_, info_);
    const png_uint_32 height = png_get_image_height(png_, info_);
    const double packed = static_cast<double>(png_get_rowbytes(png_, info_)) * height / kBestCompression;
    require_plausible_size(width, height, packed, size_, name_);
    const int passes = choose_rgb();
    const std::size_t row = std::size_t{3} * width;
    if (png_get_rowbytes(png_, info_) != row) fail_unsupported(name_, "PNG", "rows of unknown form");
    Image image{static_cast<int>(width), static_cast<int>(height), {}};
    image.rgb.resize(row * height);
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t y = 0; y < height; ++y) png_read_row(png_, image.rgb.data() + row * y, nullptr);
    }
    png_read_end(png_, nullptr);  // a file without its last chunk was cut off
    return image;
  }

 private:
  [[noreturn]] static void on_error(png_structp png, png_const_charp why) {
    fail_damaged(static_cast<PngDecoder*>(png_get_error_ptr(png))->name_, "PNG", why);
  }

  static void on_warning(png_structp /*png*/, png_const_charp /*why*/) {}  // of bytes that matter to no pixel

  static void on_read(png_structp png, png_bytep out, std::size_t count) {
    auto& decoder = *static_cast<PngDecoder*>(png_get_io_ptr(png));
    if (count > decoder.rest_.size()) fail_cut_off(decoder.name_, "PNG");
    std::copy_n(decoder.rest_.begin(), count, out);
    decoder.rest_ = decoder.rest_.subspan(count);
  }

  /// Has every kind of pixel delivered as 8-bit RGB; returns the passes an interlaced image takes.
  int choose_rgb() {
    const int colour = png_get_color_type(png_, info_);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (colour == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
    png_set_scale_16(png_);
    png_set_strip_alpha(png_);
    if ((colour & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(png_);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return passes;
  }

  std::span<const std::uint8_t> rest_;
  std::size_t size_;
  const std::string& name_;
  png_structp png_;
  png_infop info_;
};

}  // namespace

Image decode_png(std::span<const std::uint8_t> bytes, const std::string& name) {
  return PngDecoder(bytes, name).decode();
}

}  // namespace mlpac
