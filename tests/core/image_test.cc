// JPEG and PNG files of every kind people have; the files are written by libjpeg and libpng.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "image_bytes.h"
#include "mlpac/error.h"
#include "mlpac/image.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using Bytes = std::vector<std::uint8_t>;

Image grey(int width, int height, const Bytes& values) {
  Image image{width, height, {}};
  for (const std::uint8_t value : values) image.rgb.insert(image.rgb.end(), 3, value);
  return image;
}

TEST(Jpeg, ColoursOfEveryStorageComeBack) {
  const Image image = smooth_image(37, 21);
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(image)), image), 3);
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(image, {.file = JCS_RGB, .adobe = true})), image), 2);
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(image, {.progressive = true})), image), 3);
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(image, {.restart = 2})), image), 3);
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(image, {.subsampled = true})), image), 24);
}

TEST(Jpeg, GreyHasThreeEqualChannels) {
  const Bytes samples{10, 20, 30, 40, 50, 60};
  const Image image =
      decoded(jpeg_bytes(3, 2, samples, {.input = JCS_GRAYSCALE, .file = JCS_GRAYSCALE, .components = 1}));
  EXPECT_LE(largest_difference(image, grey(3, 2, samples)), 2);
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    EXPECT_EQ(image.rgb[i], image.rgb[i + 1]);
    EXPECT_EQ(image.rgb[i], image.rgb[i + 2]);
  }
}

TEST(Jpeg, InkBecomesLight) {
  // Cyan 0.2, magenta 0.4, yellow 0, black 0.2: light is (1 - ink)(1 - black) of each.
  const Image expected{1, 1, {163, 122, 204}};
  const Bytes ink{51, 102, 0, 51};
  const Bytes light{204, 153, 255, 204};
  const JpegSpec plain{.input = JCS_CMYK, .file = JCS_CMYK, .components = 4};
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(1, 1, ink, plain)), expected), 2);
  JpegSpec adobe = plain;
  adobe.adobe = true;
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(1, 1, light, adobe)), expected), 2);
  adobe.file = JCS_YCCK;
  EXPECT_LE(largest_difference(decoded(jpeg_bytes(1, 1, light, adobe)), expected), 3);
}

TEST(Jpeg, IsDecodedSmaller) {
  const Image image = smooth_image(100, 64);
  const std::string bytes = jpeg_bytes(image);
  const auto size = [&](int at_least) {
    const Image small = decoded(bytes, "i", {.at_least = at_least});
    return std::vector<int>{small.width, small.height};
  };
  EXPECT_EQ(size(0), (std::vector<int>{100, 64}));
  EXPECT_EQ(size(1), (std::vector<int>{13, 8}));
  EXPECT_EQ(size(8), (std::vector<int>{13, 8}));
  EXPECT_EQ(size(9), (std::vector<int>{25, 16}));
  EXPECT_EQ(size(33), (std::vector<int>{63, 40}));
  EXPECT_EQ(size(57), (std::vector<int>{100, 64}));
  EXPECT_EQ(size(64), (std::vector<int>{100, 64}));
  EXPECT_EQ(size(1000), (std::vector<int>{100, 64}));
  // At half the size each pixel is the mean of four.
  const Image flat = decoded(jpeg_bytes(grey(16, 16, Bytes(256, 77))), "i", {.at_least = 8});
  EXPECT_LE(largest_difference(flat, grey(8, 8, Bytes(64, 77))), 1);
}

TEST(Png, RgbIsExactAlsoInterlaced) {
  for (const int width : {1, 2, 9, 33}) {
    const Image image = smooth_image(width, 13);
    EXPECT_EQ(decoded(png_bytes(image)), image);
    EXPECT_EQ(decoded(png_bytes(image, {.interlaced = true})), image);
  }
}

TEST(Png, GreyOfEveryDepth) {
  const auto read = [](int width, const Bytes& packed, int bits) {
    return decoded(png_bytes(width, 1, packed, {.colour = PNG_COLOR_TYPE_GRAY, .bits = bits}));
  };
  EXPECT_EQ(read(3, {0b101'00000}, 1), grey(3, 1, {255, 0, 255}));
  EXPECT_EQ(read(4, {0b00'01'10'11}, 2), grey(4, 1, {0, 85, 170, 255}));
  EXPECT_EQ(read(2, {0x3F}, 4), grey(2, 1, {51, 255}));
  EXPECT_EQ(read(2, {7, 200}, 8), grey(2, 1, {7, 200}));
  // 16 bits are rounded: 0x0180 is 1.49 of 255, 0x0182 is 1.50.
  EXPECT_EQ(read(4, {0xFF, 0xFF, 0x01, 0x80, 0x01, 0x82, 0x00, 0x00}, 16), grey(4, 1, {255, 1, 2, 0}));
}

TEST(Png, PaletteWithAndWithoutTransparency) {
  PngSpec spec{.colour = PNG_COLOR_TYPE_PALETTE, .bits = 2, .palette = {{1, 2, 3}, {40, 50, 60}, {255, 0, 9}}};
  const Image expected{4, 1, {255, 0, 9, 1, 2, 3, 40, 50, 60, 1, 2, 3}};
  EXPECT_EQ(decoded(png_bytes(4, 1, {0b10'00'01'00}, spec)), expected);
  spec.transparent = {0, 128};
  EXPECT_EQ(decoded(png_bytes(4, 1, {0b10'00'01'00}, spec)), expected);
}

TEST(Png, TransparencyIsDropped) {
  EXPECT_EQ(decoded(png_bytes(2, 1, {9, 8, 7, 0, 1, 2, 3, 200}, {.colour = PNG_COLOR_TYPE_RGB_ALPHA})),
            (Image{2, 1, {9, 8, 7, 1, 2, 3}}));
  EXPECT_EQ(decoded(png_bytes(2, 1, {9, 0, 77, 255}, {.colour = PNG_COLOR_TYPE_GRAY_ALPHA})), grey(2, 1, {9, 77}));
  EXPECT_EQ(
      decoded(png_bytes(1, 1, {255, 255, 128, 128, 0, 0, 1, 1}, {.colour = PNG_COLOR_TYPE_RGB_ALPHA, .bits = 16})),
      (Image{1, 1, {255, 128, 0}}));
}

TEST(ImageFile, IsKnownByItsContent) {
  const TemporaryFolder folder;
  const Image image = smooth_image(5, 4);
  write_text(folder / "a.jpg", png_bytes(image));
  EXPECT_EQ(read_image(folder / "a.jpg"), image);
  write_text(folder / "b", jpeg_bytes(image) + "bytes after the end");
  EXPECT_LE(largest_difference(read_image(folder / "b"), image), 3);
}

TEST(ImageFile, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_image(folder / "missing.jpg"), Error);
  EXPECT_THROW(read_image(folder / "."), Error);
  EXPECT_THROW(read_image("/dev/zero"), Error);
  std::filesystem::create_symlink("loop.jpg", folder / "loop.jpg");
  EXPECT_THROW(read_image(folder / "loop.jpg"), Error);
  std::filesystem::resize_file((write_text(folder / "huge.jpg", "\xFF\xD8\xFF"), folder / "huge.jpg"),
                               std::uintmax_t{5} << 30U);
  EXPECT_THROW(read_image(folder / "huge.jpg"), Error);
}

}  // namespace
}  // namespace mlpac
