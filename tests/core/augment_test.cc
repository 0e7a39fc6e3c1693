// Random changes of images: each operation gives Pillow's bytes, and draws have the published distribution.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "mlpac/augment.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

/// A small image with steep steps, so that rounding shows.
Image test_image() {
  Image image{23, 17, {}};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (const int value : {(40 + 3 * x % 170) * 7, (200 - 2 * y % 170) * 5, (30 + (x + y) % 190) * 3}) {
        image.rgb.push_back(static_cast<std::uint8_t>(value % 256));
      }
    }
  }
  return image;
}

std::uint64_t hash_of(const Image& image) {
  return fnv1a64({reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()});
}

struct Reference {
  AugmentKind kind;
  int level;
  bool negative;
  std::uint64_t hash;
};

// Hashes of the bytes that Pillow 9.4 gives for the same operations.
TEST(Augment, OperationsGivePillowsBytes) {
  const std::vector<Reference> references{
      {AugmentKind::shear_x, 2, false, 0x35CB41A1B25360E8ULL},
      {AugmentKind::shear_x, 2, true, 0x39364A5F6B246C3EULL},
      {AugmentKind::shear_x, 7, false, 0x340B9A22329A5699ULL},
      {AugmentKind::shear_x, 7, true, 0x22409179F259B08EULL},
      {AugmentKind::shear_y, 2, false, 0xC8D1624684604F27ULL},
      {AugmentKind::shear_y, 2, true, 0x9597BC6875063835ULL},
      {AugmentKind::shear_y, 7, false, 0x6306211035F919CBULL},
      {AugmentKind::shear_y, 7, true, 0x73B3B62E922AD31BULL},
      {AugmentKind::translate_x, 2, false, 0xE44530E0C45DE1C1ULL},
      {AugmentKind::translate_x, 2, true, 0xB72077CF47651921ULL},
      {AugmentKind::translate_x, 7, false, 0xBD9EF4A520F2B1BBULL},
      {AugmentKind::translate_x, 7, true, 0x301AF7249F7225ABULL},
      {AugmentKind::translate_y, 2, false, 0x52A4BAD7F3692D92ULL},
      {AugmentKind::translate_y, 2, true, 0x4E47131BEAE7E74CULL},
      {AugmentKind::translate_y, 7, false, 0xBE35066C2CE843FEULL},
      {AugmentKind::translate_y, 7, true, 0x70A1AF2AC38B3D30ULL},
      {AugmentKind::rotate, 2, false, 0xA6747C8CF56DFC3DULL},
      {AugmentKind::rotate, 7, false, 0x362BC073817EF11DULL},
      {AugmentKind::color, 2, false, 0x6EE70A2D07D32F22ULL},
      {AugmentKind::color, 2, true, 0x8C1F6C6FED71EF44ULL},
      {AugmentKind::color, 7, false, 0x225A10D998D85A7DULL},
      {AugmentKind::color, 7, true, 0x65AF075B37A0E781ULL},
      {AugmentKind::contrast, 2, false, 0xBB1B57EBC2AD471DULL},
      {AugmentKind::contrast, 2, true, 0x1F024B1186522A2CULL},
      {AugmentKind::contrast, 7, false, 0x56A0C84C7851CE59ULL},
      {AugmentKind::contrast, 7, true, 0xC89B7BB0EC372781ULL},
      {AugmentKind::sharpness, 2, false, 0x24563784B36F62D7ULL},
      {AugmentKind::sharpness, 2, true, 0x2A02666E495425E2ULL},
      {AugmentKind::sharpness, 7, false, 0x593E1340988EAF8FULL},
      {AugmentKind::sharpness, 7, true, 0x0F8605C8A754CCB2ULL},
      {AugmentKind::brightness, 2, false, 0x9C2D1CB61398BA2AULL},
      {AugmentKind::brightness, 2, true, 0xAA17440528DD5582ULL},
      {AugmentKind::brightness, 7, false, 0x8D38921FD868929EULL},
      {AugmentKind::brightness, 7, true, 0x4240B336CF9421D6ULL},
      {AugmentKind::posterize, 2, false, 0x7436AD902D28240BULL},
      {AugmentKind::posterize, 7, false, 0x6ADD7B62A798EA4FULL},
      {AugmentKind::solarize, 2, false, 0x5AB450D5EB33F2F1ULL},
      {AugmentKind::solarize, 7, false, 0x6E82217A61DB5086ULL},
      {AugmentKind::auto_contrast, 1, false, 0xBE277F8AE64AE9B1ULL},
      {AugmentKind::equalize, 1, false, 0xE5CA8C902322C32AULL},
      {AugmentKind::invert, 1, false, 0xD15561B653CF87E2ULL},
  };
  const Image image = test_image();
  for (const Reference& reference : references) {
    const double magnitude = augment_magnitude(reference.kind, reference.level);
    EXPECT_EQ(hash_of(augment(image, reference.kind, magnitude, reference.negative, 0)), reference.hash)
        << static_cast<int>(reference.kind) << " at level " << reference.level
        << (reference.negative ? " negative" : "");
  }
}

TEST(Augment, MagnitudesAreThePublishedOnes) {
  EXPECT_DOUBLE_EQ(augment_magnitude(AugmentKind::shear_x, 9), 0.3);
  EXPECT_DOUBLE_EQ(augment_magnitude(AugmentKind::translate_y, 9), 150.0 / 331);
  EXPECT_DOUBLE_EQ(augment_magnitude(AugmentKind::rotate, 3), 10);
  EXPECT_DOUBLE_EQ(augment_magnitude(AugmentKind::solarize, 0), 256);
  const std::array<int, 10> bits{8, 8, 7, 7, 6, 6, 5, 5, 4, 4};
  const std::array<int, 10> sides{0, 2, 4, 7, 9, 11, 13, 16, 18, 20};
  for (int level = 0; level < 10; ++level) {
    EXPECT_EQ(augment_magnitude(AugmentKind::posterize, level), bits[static_cast<std::size_t>(level)]);
    EXPECT_EQ(augment_magnitude(AugmentKind::cutout, level), sides[static_cast<std::size_t>(level)]);
  }
}

TEST(Augment, CutoutFillsOneRectangleOfOneColour) {
  const int side = 40;
  double covered = 0;
  for (std::uint64_t key = 0; key < 200; ++key) {
    Image image{side, side, std::vector<std::uint8_t>(std::size_t{3} * side * side, 7)};
    cutout(image, 0.5, bits_at(3, key));
    int left = side;
    int right = -1;
    int top = side;
    int bottom = -1;
    int changed = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const std::uint8_t* const pixel = image.rgb.data() + 3 * (y * side + x);
        if (pixel[0] == 7 && pixel[1] == 7 && pixel[2] == 7) continue;
        ++changed;
        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
      }
    }
    ASSERT_EQ(changed, (right - left + 1) * (bottom - top + 1));
    ASSERT_LE(right - left, 20);
    ASSERT_GE(right - left, 10);
    covered += changed;
  }
  // A centre at distance d < 10 from the border loses 10 - d of 21 columns: on average 18.25 are left.
  EXPECT_NEAR(covered / 200, 18.25 * 18.25, 25);
}

TEST(Augment, DrawsDependOnTheKeyOnly) {
  const Image image = test_image();
  int unchanged = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Image result = rand_augment(image, bits_at(5, i));
    ASSERT_EQ(result.rgb.size(), image.rgb.size());
    unchanged += result == image ? 1 : 0;
    if (i < 20) {
      EXPECT_EQ(result, rand_augment(image, bits_at(5, i)));
    }
  }
  // Neither of two operations is applied in a quarter of the cases; a few operations change nothing.
  EXPECT_NEAR(unchanged / 1000.0, 0.27, 0.06);
}

}  // namespace
}  // namespace mlpac
