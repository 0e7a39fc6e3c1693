#include "images/orientation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mlpac/image.h"

namespace mlpac {
namespace {

constexpr std::array<std::uint8_t, 6> kExif{'E', 'x', 'i', 'f', 0, 0};
constexpr std::size_t kEntry = 12;  ///< bytes: tag, type, count, value
constexpr std::uint32_t kOrientationTag = 0x0112;
constexpr std::uint32_t kShort = 3;

/// Numbers of a TIFF structure, in its byte order; 0 beyond the end.
class Tiff {
 public:
  explicit Tiff(std::span<const std::uint8_t> bytes) : bytes_(bytes), big_(!bytes.empty() && bytes[0] == 'M') {}

  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | bytes_[at + (big_ ? i : size - 1 - i)];
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_;
};

}  // namespace

int exif_orientation(std::span<const std::uint8_t> segment) {
  if (segment.size() < kExif.size() || !std::equal(kExif.begin(), kExif.end(), segment.begin())) return 1;
  const Tiff tiff(segment.subspan(kExif.size()));
  if (tiff.number(2, 2) != 42) return 1;
  const std::size_t directory = tiff.number(4, 4);
  const std::size_t entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t at = directory + 2 + kEntry * i;
    if (tiff.number(at, 2) != kOrientationTag || tiff.number(at + 2, 2) != kShort) continue;
    const std::uint32_t value = tiff.number(at + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image oriented(const Image& image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool turned = orientation >= 5;  // rows become columns
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image result{turned ? image.height : image.width, turned ? image.width : image.height, {}};
  result.rgb.resize(image.rgb.size());
  std::uint8_t* out = result.rgb.data();
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x, out += 3) {
      int column = turned ? y : x;
      int row = turned ? x : y;
      if (from_right) column = image.width - 1 - column;
      if (from_bottom) row = image.height - 1 - row;
      const std::size_t from =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(column);
      std::copy_n(image.rgb.data() + 3 * from, 3, out);
    }
  }
  return result;
}

}  // namespace mlpac
