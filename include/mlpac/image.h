// Images: JPEG and PNG files become rows of RGB bytes, and the few changes of size and place that training needs.
//
// Pixels are those the file stores, as Pillow's Image.open(path).convert("RGB") gives them: an orientation in the EXIF
// data is applied only on request (annotated boxes and published results refer to the stored pixels), transparency is
// dropped without blending, colour profiles and gamma are ignored. CMYK becomes RGB as (255 - C)(255 - K) / 255; files
// with Adobe's marker store the inverse. 16 bits are rounded to 8.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace mlpac {

/// Rows from the top, in each row width pixels of R, G, B.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
  friend bool operator==(const Image&, const Image&) = default;
};

/// Larger images are refused before memory is taken.
inline constexpr int kLongestImageSide = 65535;
inline constexpr std::int64_t kMostImagePixels = 100'000'000;

struct DecodeOptions {
  /// Above 0: a JPEG is decoded at the smallest size, in eighths of its own, whose shorter side has at least so many
  /// pixels. This takes a fraction of the time. An image that is smaller, and every PNG, keeps its size.
  int at_least = 0;
  /// Whether a JPEG is turned and mirrored as its EXIF orientation asks for: pictures of people's own cameras.
  bool upright = false;
};

/// Decodes a whole JPEG or PNG file, told apart by their first bytes; `name` is the file's in messages. Throws Error
/// for everything else, and for what is cut off or damaged, even if a decoder could fill the gap with grey.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name, const DecodeOptions& options = {});

/// The same for a file.
Image read_image(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The image in another size; the ratio of the sides may change. Bilinear, over all pixels a smaller one covers, with
/// the arithmetic of Pillow's resize(BILINEAR): fixed-point weights of 22 bits, bytes between the two directions. It
/// gives the bytes of Pillow 9.4; exact interpolation is at most 1 away. The sides must be positive, or Error is
/// thrown.
Image resize(const Image& image, int width, int height);

/// The part of the image whose upper left pixel is (left, top). Throws Error unless it lies within the image.
Image crop(const Image& image, int left, int top, int width, int height);

/// The mirror image: left becomes right.
Image flip_horizontally(const Image& image);

}  // namespace mlpac
