// Which decoder a file needs, and the words in which all of them refuse one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "core/file.h"
#include "data/text.h"
#include "images/decoders.h"
#include "mlpac/error.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

constexpr std::string_view kJpeg = "\xFF\xD8\xFF";
constexpr std::string_view kPng = "\x89PNG\r\n\x1A\n";
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30U;

/// What people take for an image, by its first bytes.
struct OtherFormat {
  std::string_view start;
  std::string_view what;
};
constexpr std::array<OtherFormat, 9> kOtherFormats{{{"GIF8", "a GIF image"},
                                                    {"BM", "a BMP image"},
                                                    {"RIFF", "a WebP image"},
                                                    {"II*", "a TIFF image"},
                                                    {"MM", "a TIFF image"},
                                                    {"<!DOCTYPE", "a web page"},
                                                    {"<html", "a web page"},
                                                    {"<?xml", "an XML file"},
                                                    {"<svg", "an SVG drawing"}}};

[[noreturn]] void fail_unknown(std::string_view start, const std::string& name) {
  if (start.empty()) throw Error(fmt::format("{}: is empty, expected a JPEG or PNG image; copy it again", name));
  for (const OtherFormat& other : kOtherFormats) {
    if (start.substr(0, other.start.size()) == other.start) {
      throw Error(fmt::format("{}: is {}, expected a JPEG or PNG image; convert it", name, other.what));
    }
  }
  throw Error(fmt::format("{}: begins with {}, expected a JPEG or PNG image; convert or remove it", name,
                          in_quotes(start.substr(0, 8))));
}

}  // namespace

void require_plausible_size(std::uint64_t width, std::uint64_t height, double least_bytes, std::size_t bytes,
                            const std::string& name) {
  constexpr auto kSide = static_cast<std::uint64_t>(kLongestImageSide);
  constexpr auto kPixels = static_cast<std::uint64_t>(kMostImagePixels);
  if (width == 0 || height == 0 || width > kSide || height > kSide || width * height > kPixels) {
    throw Error(
        fmt::format("{}: is {} x {} pixels, expected 1 to {} on each side and at most {} million; make it smaller",
                    name, width, height, kSide, kPixels / 1'000'000));
  }
  if (least_bytes > static_cast<double>(bytes)) {
    throw Error(fmt::format(
        "{}: is said to be {} x {} pixels, expected at least {:.0f} bytes, but {} are there; was it cut off?", name,
        width, height, least_bytes, bytes));
  }
}

void fail_damaged(const std::string& name, std::string_view format, std::string_view why) {
  throw Error(fmt::format("{}: the {} image is damaged ({}), expected a whole one; copy it again", name, format, why));
}

void fail_cut_off(const std::string& name, std::string_view format) {
  throw Error(fmt::format("{}: the {} image is cut off, expected a whole one; copy it again", name, format));
}

void fail_unsupported(const std::string& name, std::string_view format, std::string_view why) {
  throw Error(
      fmt::format("{}: is an unusual {} image ({}), expected 8-bit grey, RGB or CMYK; convert it", name, format, why));
}

Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name, const DecodeOptions& options) {
  constexpr std::size_t kStart = 16;
  const std::string start(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kStart)));
  if (start.compare(0, kJpeg.size(), kJpeg) == 0) return decode_jpeg(bytes, name, options);
  if (start.compare(0, kPng.size(), kPng) == 0) return decode_png(bytes, name);
  fail_unknown(start, name);
}

Image read_image(const std::filesystem::path& path, const DecodeOptions& options) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // A pipe or device may never end; what does not exist is reported by read_file.
  if (!error && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status)) {
    throw Error(fmt::format("{}: is no regular file, expected a JPEG or PNG image", path.string()));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile) {
    throw Error(fmt::format("{}: has {} MB, expected an image of at most {}; make it smaller", path.string(),
                            size >> 20U, kLargestFile >> 20U));
  }
  const std::string bytes = read_file(path);
  return decode_image(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), path.string(),
                      options);
}

}  // namespace mlpac
