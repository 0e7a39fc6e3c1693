// JPEG and PNG files as other programs write them, made in memory for the tests of their readers.
#pragma once

#include <gtest/gtest.h>
// jpeglib.h needs FILE and size_t before it.
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "mlpac/image.h"

namespace mlpac {

/// An image whose bytes are a smooth function of place and channel, so that JPEG keeps it well.
inline Image smooth_image(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (const int value : {40 + 3 * x % 170, 200 - 2 * y % 170, 30 + (x + y) % 190}) {
        image.rgb.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return image;
}

inline Image decoded(const std::string& bytes, const std::string& name = "i", const DecodeOptions& options = {}) {
  return decode_image(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), name, options);
}

struct JpegSpec {
  J_COLOR_SPACE input = JCS_RGB;  ///< of the samples that are given
  J_COLOR_SPACE file = JCS_YCbCr;
  int components = 3;
  int quality = 100;
  bool progressive = false;
  bool subsampled = false;  ///< colour at half the resolution
  bool adobe = false;
  int restart = 0;  ///< MCUs between restart markers
};

inline std::string jpeg_bytes(int width, int height, std::vector<std::uint8_t> samples, const JpegSpec& spec = {}) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  errors.error_exit = [](j_common_ptr) { throw std::logic_error("the test asks libjpeg for the impossible"); };
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): as libjpeg declares it
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = spec.components;
  info.in_color_space = spec.input;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, spec.file);
  jpeg_set_quality(&info, spec.quality, TRUE);
  info.write_Adobe_marker = spec.adobe ? TRUE : FALSE;
  info.restart_interval = static_cast<unsigned>(spec.restart);
  info.comp_info[0].h_samp_factor = spec.subsampled ? 2 : 1;
  info.comp_info[0].v_samp_factor = spec.subsampled ? 2 : 1;
  if (spec.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  const auto row_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(spec.components);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = samples.data() + row_bytes * info.next_scanline;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string bytes(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);  // NOLINT(cppcoreguidelines-no-malloc): libjpeg took it with malloc
  return bytes;
}

inline std::string jpeg_bytes(const Image& image, const JpegSpec& spec = {}) {
  return jpeg_bytes(image.width, image.height, image.rgb, spec);
}

struct PngSpec {
  int colour = PNG_COLOR_TYPE_RGB;
  int bits = 8;
  bool interlaced = false;
  std::vector<png_color> palette = {};
  std::vector<std::uint8_t> transparent = {};  ///< of the first colours of the palette
};

/// `rows` hold the samples as PNG packs them, one row after the other.
inline std::string png_bytes(int width, int height, std::vector<std::uint8_t> rows, const PngSpec& spec = {}) {
  png_structp png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, nullptr, [](png_structp, png_const_charp why) { throw std::logic_error(why); },
      [](png_structp, png_const_charp) {});
  png_infop info = png_create_info_struct(png);
  std::string bytes;
  png_set_write_fn(
      png, &bytes,
      [](png_structp writer, png_bytep data, std::size_t size) {
        static_cast<std::string*>(png_get_io_ptr(writer))->append(reinterpret_cast<const char*>(data), size);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), spec.bits, spec.colour,
               spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!spec.palette.empty()) png_set_PLTE(png, info, spec.palette.data(), static_cast<int>(spec.palette.size()));
  if (!spec.transparent.empty()) {
    png_set_tRNS(png, info, spec.transparent.data(), static_cast<int>(spec.transparent.size()), nullptr);
  }
  png_write_info(png, info);
  const std::size_t row_bytes = rows.size() / static_cast<std::size_t>(height);
  std::vector<png_bytep> pointers;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) pointers.push_back(rows.data() + row_bytes * y);
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

inline std::string png_bytes(const Image& image, const PngSpec& spec = {}) {
  return png_bytes(image.width, image.height, image.rgb, spec);
}

/// The largest difference of two images of the same size.
inline int largest_difference(const Image& a, const Image& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  if (a.rgb.size() != b.rgb.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

}  // namespace mlpac
