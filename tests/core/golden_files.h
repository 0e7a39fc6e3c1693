// Reference data and real data that are not part of the program: where they are, and SHA-256 to compare by.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "core/file.h"

namespace mlpac {

/// MLPAC_GOLDEN, else the complete set beside the checkout; the data is beside it.
inline std::filesystem::path golden_folder() {
  if (const char* folder = std::getenv("MLPAC_GOLDEN"); folder != nullptr && *folder != '\0') return folder;
  return std::filesystem::path(MLPAC_SOURCE_DIR) / ".." / "shared" / "golden";
}

inline nlohmann::json golden_json(const char* file) { return nlohmann::json::parse(read_file(golden_folder() / file)); }

/// The archive unpacked into a folder that is removed when the program ends; an empty path where it is not there.
inline std::filesystem::path unpacked(const std::string& archive) {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("mlpac_golden_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder kFolder;
  const auto file = golden_folder() / ".." / "data" / (archive + ".tar.xz");
  if (!std::filesystem::exists(file)) return {};
  const auto folder = kFolder.path / archive;
  if (std::filesystem::exists(folder)) return folder;
  const std::string command = "tar xJf '" + file.string() + "' -C '" + kFolder.path.string() + "'";
  return std::system(command.c_str()) == 0 ? folder : std::filesystem::path();
}

/// Skips a test without the reference file or the real data it needs.
#define MLPAC_NEEDS(file, ...)                                                                                     \
  if (!std::filesystem::exists(golden_folder() / (file))) {                                                        \
    GTEST_SKIP() << (golden_folder() / (file)).string() << " is not there: set MLPAC_GOLDEN to its folder";        \
  }                                                                                                                \
  for (const char* archive : {__VA_ARGS__}) {                                                                      \
    if (unpacked(archive).empty()) GTEST_SKIP() << "no archive " << archive << " in ../data of the golden folder"; \
  }

/// FIPS 180-4.
inline std::string sha256(std::string message) {
  std::array<std::uint32_t, 64> k{};
  std::array<std::uint32_t, 8> state{};
  int found = 0;
  for (int prime = 2; found < 64; ++prime) {
    bool divided = false;
    for (int d = 2; d * d <= prime; ++d) divided = divided || prime % d == 0;
    if (divided) continue;
    const auto fraction = [](long double x) { return static_cast<std::uint32_t>((x - std::floor(x)) * 4294967296.0L); };
    if (found < 8) state[static_cast<std::size_t>(found)] = fraction(std::sqrt(static_cast<long double>(prime)));
    k[static_cast<std::size_t>(found++)] = fraction(std::cbrt(static_cast<long double>(prime)));
  }
  const std::uint64_t bits = message.size() * 8;
  message += '\x80';
  while (message.size() % 64 != 56) message += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) message += static_cast<char>(bits >> static_cast<unsigned>(shift));
  for (std::size_t block = 0; block < message.size(); block += 64) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t b = 0; b < 4; ++b) w[i] = w[i] << 8U | static_cast<unsigned char>(message[block + 4 * i + b]);
    }
    for (std::size_t i = 16; i < 64; ++i) {
      const auto a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3U);
      const auto b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10U);
      w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    auto s = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const auto sum1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
      const auto t1 = s[7] + sum1 + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
      const auto sum0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
      const auto t2 = sum0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
  }
  std::string text;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 15U];
  }
  return text;
}

/// Of the numbers as little-endian 32-bit integers.
inline std::string sha256(std::span<const std::int32_t> numbers) {
  std::string bytes;
  for (const std::int32_t number : numbers) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(static_cast<std::uint32_t>(number) >> shift);
    }
  }
  return sha256(std::move(bytes));
}

}  // namespace mlpac
