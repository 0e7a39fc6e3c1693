// SHA-256 (FIPS 180-4), to tell builds of the program and options of runs apart.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mlpac {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 hexadecimal digits; nothing may be added afterwards.
  std::string digest();

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string pending_;
  std::uint64_t length_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace mlpac
