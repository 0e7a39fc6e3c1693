#include "core/crc32c.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mlpac {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // 0x1EDC6F41 with the bits reversed

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char c : bytes) {
    const std::size_t index = (value ^ static_cast<unsigned char>(c)) & 0xFFU;
    value = (value >> 8U) ^ kTable[index];
  }
  return ~value;
}

}  // namespace mlpac
