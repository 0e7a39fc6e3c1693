// The orientation of EXIF data: found in either byte order, applied on request, passed over where it is damaged.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "image_bytes.h"
#include "images/orientation.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

using namespace std::string_literals;

std::string exif(int orientation, bool big) {
  const char value = static_cast<char>(orientation);
  return big ? "Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + value + "\0\0"s
             : "Exif\0\0II\x2A\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s + value + "\0\0\0"s;
}

/// The file with an APP1 segment behind its first marker.
std::string with_segment(const std::string& jpeg, const std::string& segment) {
  const std::size_t length = segment.size() + 2;
  return jpeg.substr(0, 2) + "\xFF\xE1" + static_cast<char>(length / 256) + static_cast<char>(length % 256) + segment +
         jpeg.substr(2);
}

int orientation_of(const std::string& segment) {
  return exif_orientation({reinterpret_cast<const std::uint8_t*>(segment.data()), segment.size()});
}

TEST(Orientation, IsFoundInEitherByteOrder) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    EXPECT_EQ(orientation_of(exif(orientation, false)), orientation);
    EXPECT_EQ(orientation_of(exif(orientation, true)), orientation);
  }
  EXPECT_EQ(orientation_of(exif(9, false)), 1);
  EXPECT_EQ(orientation_of(""), 1);
  const std::string whole = exif(6, true);
  for (std::size_t size = 0; size + 3 < whole.size(); ++size) EXPECT_EQ(orientation_of(whole.substr(0, size)), 1);
}

TEST(Orientation, PixelsMoveAsTheStandardSays) {
  // Pixels 1 2 3 / 4 5 6, and how each of the eight orientations shows them.
  const Image stored{3, 2, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}};
  const std::array<std::string, 8> shown{"123456", "321654", "654321", "456123",
                                         "142536", "415263", "635241", "362514"};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image image = oriented(stored, orientation);
    EXPECT_EQ(image.width, orientation < 5 ? 3 : 2);
    std::string text;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) text += static_cast<char>('0' + image.rgb[i]);
    EXPECT_EQ(text, shown[static_cast<std::size_t>(orientation) - 1]) << orientation;
  }
}

TEST(Orientation, IsAppliedOnRequest) {
  const std::string plain = jpeg_bytes(smooth_image(40, 24));
  const std::string turned = with_segment(plain, exif(6, true));
  const Image image = decoded(plain);
  EXPECT_EQ(decoded(turned), image);
  DecodeOptions options;
  options.upright = true;
  EXPECT_EQ(decoded(turned, "i", options), oriented(image, 6));
  EXPECT_EQ(decoded(plain, "i", options), image);
  EXPECT_EQ(decoded(with_segment(plain, "Exif\0\0MM"s), "i", options), image);
  options.at_least = 12;
  EXPECT_EQ(decoded(turned, "i", options).height, 20);
}

}  // namespace
}  // namespace mlpac
