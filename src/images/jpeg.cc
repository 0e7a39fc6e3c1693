// JPEG, with libjpeg-turbo. Errors leave the library as exceptions: its functions keep unwind tables on every platform
// this program is built for, all its memory belongs to the decoder object, and the destructor frees it.
#include <fmt/format.h>
// jpeglib.h needs FILE and size_t before it.
#include <cstddef>
#include <cstdio>

#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "images/decoders.h"
#include "images/orientation.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

/// Each scan of a progressive file walks the whole image; files of a few kilobytes can demand thousands of them.
constexpr int kMostScans = 500;
constexpr unsigned kLongestMarker = 0xFFFF;
/// Units of 32 x 32 pixels are the largest, and Huffman codes give at least one bit to each.
constexpr double kMostPixelsPerByte = 8.0 * 32 * 32;

class JpegDecoder {
 public:
  JpegDecoder(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes), name_(name) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = on_error;
    errors_.emit_message = on_message;
    progress_.progress_monitor = on_progress;
    info_.client_data = this;
    jpeg_create_decompress(&info_);
    info_.progress = &progress_;
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }

  Image decode(const DecodeOptions& options) {
    jpeg_mem_src(&info_, bytes_.data(), bytes_.size());
    if (options.upright) jpeg_save_markers(&info_, JPEG_APP0 + 1, kLongestMarker);
    jpeg_read_header(&info_, TRUE);
    const int orientation = saved_orientation();
    const double pixels = static_cast<double>(info_.image_width) * info_.image_height;
    const double least = info_.arith_code != FALSE ? 0 : pixels / kMostPixelsPerByte;
    require_plausible_size(info_.image_width, info_.image_height, least, bytes_.size(), name_);
    choose_colours();
    choose_scale(options.at_least);
    jpeg_start_decompress(&info_);
    Image image{static_cast<int>(info_.output_width), static_cast<int>(info_.output_height), {}};
    image.rgb.resize(std::size_t{3} * info_.output_width * info_.output_height);
    if (info_.out_color_space == JCS_CMYK) {
      read_cmyk(image);
    } else {
      while (info_.output_scanline < info_.output_height) {
        JSAMPROW row = image.rgb.data() + std::size_t{3} * info_.output_width * info_.output_scanline;
        jpeg_read_scanlines(&info_, &row, 1);
      }
    }
    jpeg_finish_decompress(&info_);  // up to the mark at the end: a file without it was cut off
    return orientation == 1 ? image : oriented(image, orientation);
  }

 private:
  static JpegDecoder& self(j_common_ptr info) { return *static_cast<JpegDecoder*>(info->client_data); }

  static std::string text(j_common_ptr info) {
    std::array<char, JMSG_LENGTH_MAX> buffer{};
    info->err->format_message(info, buffer.data());
    return buffer.data();
  }

  [[noreturn]] static void on_error(j_common_ptr info) {
    const std::string& name = self(info).name_;
    switch (info->err->msg_code) {
      case JERR_BAD_PRECISION:
      case JERR_IMAGE_TOO_BIG:
      case JERR_SOF_UNSUPPORTED:
      case JERR_CONVERSION_NOTIMPL:
      case JERR_CCIR601_NOTIMPL:
      case JERR_FRACT_SAMPLE_NOTIMPL:
        fail_unsupported(name, "JPEG", text(info));
      case JERR_INPUT_EMPTY:
      case JERR_INPUT_EOF:
        fail_cut_off(name, "JPEG");
      default:
        fail_damaged(name, "JPEG", text(info));
    }
  }

  /// Warnings have level -1. Those about bytes that matter to no pixel are passed over: files with them are common.
  static void on_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
      case JWRN_ADOBE_XFORM:
      case JWRN_EXTRANEOUS_DATA:
      case JWRN_JFIF_MAJOR:
      case JWRN_NOT_SEQUENTIAL:
        return;
      case JWRN_JPEG_EOF:
        fail_cut_off(self(info).name_, "JPEG");
      default:
        fail_damaged(self(info).name_, "JPEG", text(info));
    }
  }

  static void on_progress(j_common_ptr info) {
    JpegDecoder& decoder = self(info);
    if (decoder.info_.input_scan_number > kMostScans) {
      fail_damaged(decoder.name_, "JPEG", fmt::format("more than {} scans", kMostScans));
    }
  }

  /// Of the first EXIF data; 1 if none was asked for.
  int saved_orientation() const {
    for (const auto* marker = info_.marker_list; marker != nullptr; marker = marker->next) {
      const int orientation = exif_orientation({marker->data, marker->data_length});
      if (orientation != 1) return orientation;
    }
    return 1;
  }

  void choose_colours() {
    switch (info_.jpeg_color_space) {
      case JCS_GRAYSCALE:
      case JCS_YCbCr:
      case JCS_RGB:
        info_.out_color_space = JCS_RGB;
        return;
      case JCS_CMYK:
      case JCS_YCCK:
        info_.out_color_space = JCS_CMYK;
        return;
      default:
        fail_unsupported(name_, "JPEG", fmt::format("{} components of unknown colour", info_.num_components));
    }
  }

  void choose_scale(int at_least) {
    info_.scale_denom = 8;
    info_.scale_num = 8;
    if (at_least <= 0) return;
    const auto wanted = static_cast<JDIMENSION>(at_least);
    const JDIMENSION shorter = std::min(info_.image_width, info_.image_height);
    while (info_.scale_num > 1 && (shorter * (info_.scale_num - 1) + 7) / 8 >= wanted) --info_.scale_num;
  }

  void read_cmyk(Image& image) {
    std::vector<std::uint8_t> line(std::size_t{4} * info_.output_width);
    const unsigned inverse = info_.saw_Adobe_marker != FALSE ? 0 : 255;
    std::uint8_t* out = image.rgb.data();
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = line.data();
      jpeg_read_scanlines(&info_, &row, 1);
      for (std::size_t i = 0; i < line.size(); i += 4) {
        const unsigned black = line[i + 3] ^ inverse;
        for (std::size_t c = 0; c < 3; ++c) {
          *out++ = static_cast<std::uint8_t>(((line[i + c] ^ inverse) * black + 127) / 255);
        }
      }
    }
  }

  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct info_{};
};

}  // namespace

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& name, const DecodeOptions& options) {
  return JpegDecoder(bytes, name).decode(options);
}

}  // namespace mlpac
