// Images that are cut off, damaged or lie about their size: refused with the file's name, never anything else.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "image_bytes.h"
#include "mlpac/error.h"
#include "mlpac/image.h"
#include "refusals.h"

namespace mlpac {
namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

std::string small_jpeg() { return jpeg_bytes(smooth_image(24, 16), {.quality = 60}); }
std::string progressive_jpeg() { return jpeg_bytes(smooth_image(24, 16), {.quality = 60, .progressive = true}); }
std::string small_png() { return png_bytes(smooth_image(12, 9)); }

/// With `bytes` written `offset` behind the first occurrence of `mark`.
std::string changed(std::string file, std::string_view mark, std::size_t offset, std::string_view bytes) {
  const std::size_t at = file.find(mark);
  EXPECT_NE(at, std::string::npos);
  return file.replace(at + offset, bytes.size(), bytes);
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(value >> shift & 0xFFU);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& content) {
  const std::string body = type + content;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + body + big_endian(static_cast<std::uint32_t>(sum));
}

std::string header(std::uint32_t width, std::uint32_t height, std::string_view rest = "\x08\x02\0\0\0"sv) {
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", big_endian(width) + big_endian(height) + std::string(rest));
}

/// The content of an IDAT chunk.
std::string deflated(const std::string& rows) {
  uLongf size = compressBound(rows.size());
  std::string bytes(size, '\0');
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  bytes.resize(size);
  return bytes;
}

void expect_all_refused(const std::vector<Bad>& table) {
  for (const Bad& bad : table) {
    SCOPED_TRACE(bad.word);
    expect_refused(bad, "i", [](const std::string& bytes) { decoded(bytes, "i"); });
    try {
      decoded(bad.text, "i");
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find("expected"), std::string_view::npos) << error.what();
    }
  }
}

TEST(MalformedImage, OtherFiles) {
  expect_all_refused({
      {"", 0, "is empty"},
      {std::string(1, '\0'), 0, "begins with"},
      {std::string(1000, '\0'), 0, "begins with"},
      {"\xFF", 0, "begins with"},
      {"\xFF\xD8", 0, "begins with"},
      {"\x89PNG", 0, "begins with"},
      {"\x89PNG\n\x1A\n", 0, "begins with"},  // line ends converted by a text-mode transfer
      {"GIF89a......", 0, "GIF"},
      {"BM......", 0, "BMP"},
      {"RIFF1234WEBPVP8 ", 0, "WebP"},
      {"II*\0...."s, 0, "TIFF"},
      {"<!DOCTYPE html><title>404</title>", 0, "web page"},
      {"<html>", 0, "web page"},
      {"hello", 0, "'hello'"},
  });
}

TEST(MalformedImage, Jpegs) {
  const std::string good = small_jpeg();
  constexpr std::string_view kQuantisation = "\xFF\xDB";
  constexpr std::string_view kFrame = "\xFF\xC0";
  constexpr std::string_view kCodes = "\xFF\xC4";
  constexpr std::string_view kScan = "\xFF\xDA";
  const std::size_t scan = good.find(kScan);
  const std::size_t data = scan + 2 + 12;
  expect_all_refused({
      {"\xFF\xD8\xFF", 0, "cut off"},
      {"\xFF\xD8\xFF\xD9", 0, "no image"},
      {"\xFF\xD8" + good, 0, "two SOI"},
      {good.substr(0, good.find(kFrame)) + "\xFF\xD9", 0, "no image"},
      {good.substr(0, good.find(kFrame)) + good.substr(scan), 0, "SOS before SOF"},
      {good.substr(0, scan) + "\xFF\xD9", 0, "missing SOS"},
      {good.substr(0, data), 0, "cut off"},
      {good.substr(0, data) + "\xFF\xD9", 0, "premature end"},
      {good.substr(0, data + 20), 0, "cut off"},
      {good.substr(0, data + 20) + "\xFF\xD9", 0, "premature end"},
      {good.substr(0, good.size() - 2), 0, "cut off"},
      {good.substr(0, good.size() - 1), 0, "cut off"},
      {changed(good, kQuantisation, 2, "\0\0"sv), 0, "Bogus marker length"},
      {changed(good, kQuantisation, 4, "\x09"), 0, "Bogus DQT index"},
      {changed(good, kQuantisation, 2, "\xFF\xFF"), 0, "i: "},
      {changed(good, kFrame, 2, "\0\x0B"sv), 0, "Bogus marker length"},
      {changed(good, kFrame, 4, "\x0C"), 0, "precision 12"},
      {changed(good, kFrame, 5, "\0\0"sv), 0, "Empty JPEG image"},
      {changed(good, kFrame, 7, "\0\0"sv), 0, "Empty JPEG image"},
      {changed(good, kFrame, 5, "\xFF\xFF\xFF\xFF"), 0, "unusual"},
      {changed(good, kFrame, 5, "\xFD\xE8\xFD\xE8"), 0, "65000 x 65000 pixels"},
      {changed(good, kFrame, 5, "\x27\x10\x27\x11"), 0, "10001 x 10000 pixels"},
      {changed(good, kFrame, 5, "\x27\x10\x27\x10"), 0, "at least 12207 bytes"},
      {changed(good, kFrame, 9, "\x02"), 0, "Bogus marker length"},
      {changed(good, kFrame, 11, "\0"sv), 0, "sampling factors"},
      {changed(good, kFrame, 11, "\x55"), 0, "sampling factors"},
      {changed(good, kFrame, 12, "\x07"), 0, "Quantization table 0x07"},
      {changed(good, kFrame, 0, "\xFF\xC3"), 0, "SOF type 0xc3"},
      {changed(good, kFrame, 0, "\xFF\xC5"), 0, "SOF type 0xc5"},
      {changed(good, kFrame, 0, "\xFF\xC2"), 0, "progressive parameters"},
      {changed(good, kFrame, 0, "\xFF\xDE"), 0, "Unsupported marker type 0xde"},
      {changed(good, kCodes, 5, std::string(16, '\xFF')), 0, "Bogus Huffman table"},
      {changed(good, kCodes, 4, "\x77"), 0, "Bogus DHT index"},
      {changed(good, kScan, 4, "\0"sv), 0, "Bogus marker length"},
      {changed(good, kScan, 5, "\x63"), 0, "component ID 99"},
      {changed(good, kScan, 6, "\x33"), 0, "Huffman table 0x03 was not defined"},
      {std::string(good).replace(data + 4, 40, std::string(40, '\xFE')), 0, "the JPEG image is"},
      {std::string(good).replace(data + 30, 2, "\xFF\xD0"), 0, "premature end of data"},
      {jpeg_bytes(2, 2, std::vector<std::uint8_t>(8, 9), {.input = JCS_UNKNOWN, .file = JCS_UNKNOWN, .components = 2}),
       0, "2 components of unknown colour"},
  });
}

TEST(MalformedImage, Pngs) {
  const std::string good = small_png();
  const std::string pixels = chunk("IDAT", deflated(std::string(2 * 7, '\0')));  // 2 rows of 2 pixels
  const std::string end = chunk("IEND", "");
  EXPECT_EQ(decoded(header(2, 2) + pixels + end).rgb, std::vector<std::uint8_t>(12, 0));
  expect_all_refused({
      {"\x89PNG\r\n\x1A\n", 0, "cut off"},
      {"\x89PNG\r\n\x1A\n" + end, 0, "damaged"},
      {"\x89PNG\r\n\x1A\n" + pixels + end, 0, "damaged"},
      {header(2, 2), 0, "cut off"},
      {header(2, 2) + end, 0, "damaged"},
      {header(2, 2) + pixels, 0, "cut off"},
      {header(2, 2) + chunk("IDAT", "") + end, 0, "damaged"},
      {header(2, 2) + chunk("IDAT", deflated(std::string(13, '\0'))) + end, 0, "damaged"},
      {header(2, 2) + chunk("IDAT", deflated(std::string(14, '\x05'))) + end, 0, "damaged"},
      {header(2, 2) + chunk("IDAT", "no zlib stream at all") + end, 0, "damaged"},
      {header(2, 2) + chunk("IDAT", deflated(std::string(14, '\0')).substr(0, 6)) + end, 0, "damaged"},
      {header(2, 2) + header(2, 2).substr(8) + pixels + end, 0, "damaged"},
      {header(2, 2) + chunk("ABCD", "") + pixels + end, 0, "unhandled critical chunk"},
      {header(2, 2) + chunk("I\0AT"s, "") + pixels + end, 0, "damaged"},
      {header(2, 2) + big_endian(0xFFFFFFFFU) + "IDAT", 0, "damaged"},
      {header(2, 2) + big_endian(0x7FFFFFFFU) + "IDAT", 0, "cut off"},
      {header(2, 2, "\x08\x03\0\0\0"sv) + pixels + end, 0, "damaged"},  // a palette that is not there
      {header(2, 2, "\x08\x03\0\0\0"sv) + chunk("PLTE", "ab") + pixels + end, 0, "damaged"},
      {header(0, 2) + pixels + end, 0, "damaged"},
      {header(2, 0) + pixels + end, 0, "damaged"},
      {header(0x80000000U, 2) + pixels + end, 0, "damaged"},
      {header(0x7FFFFFFFU, 0x7FFFFFFFU) + pixels + end, 0, "i: "},
      {header(65536, 1) + pixels + end, 0, "65536 x 1 pixels"},
      {header(65535, 65535) + pixels + end, 0, "65535 x 65535 pixels"},
      {header(10000, 10000) + pixels + end, 0, "at least 290698 bytes"},
      {header(2, 2, "\x07\x02\0\0\0"sv) + pixels + end, 0, "damaged"},
      {header(2, 2, "\x08\x01\0\0\0"sv) + pixels + end, 0, "damaged"},
      {header(2, 2, "\x01\x02\0\0\0"sv) + pixels + end, 0, "damaged"},
      {header(2, 2, "\x08\x02\x01\0\0"sv) + pixels + end, 0, "damaged"},
      {header(2, 2, "\x08\x02\0\x01\0"sv) + pixels + end, 0, "damaged"},
      {header(2, 2, "\x08\x02\0\0\x02"sv) + pixels + end, 0, "damaged"},
      {changed(good, "IHDR", 4, "\x01"), 0, "CRC"},
      {changed(good, "IDAT", 12, "\x55"), 0, "damaged"},
  });
}

TEST(MalformedImage, EveryPrefixIsRefused) {
  for (const std::string& good :
       {small_jpeg(), progressive_jpeg(), small_png(), png_bytes(smooth_image(12, 9), {.interlaced = true})}) {
    ASSERT_NO_THROW(decoded(good));
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_THROW(decoded(good.substr(0, size)), Error) << size << " of " << good.size();
    }
  }
}

TEST(MalformedImage, AThousandScansAreRefused) {
  const std::string good = progressive_jpeg();
  const std::size_t first = good.find("\xFF\xDA");
  const std::size_t second = good.find("\xFF\xC4", first);
  std::string many = good.substr(0, first);
  for (int i = 0; i < 1000; ++i) many += good.substr(first, second - first);
  expect_refused({many + good.substr(second), 0, "damaged"}, "i", [](const std::string& b) { decoded(b, "i"); });
}

constexpr auto kPieces = std::to_array<std::string_view>(
    {"\xFF", "\xFF\xD8", "\xFF\xD9", "\xFF\xC0", "\xFF\xC2", "\xFF\xC4", "\xFF\xDA", "\xFF\xD0", "\xFF\xDB", "\0"sv,
     "\0\x02"sv, "\x7F\xFF", "IDAT", "IHDR", "PLTE", "IEND", "tRNS", "\x80", "\x01"});

void expect_whole(const std::string& bytes, int at_least) {
  const Image image = decoded(bytes, "fuzz", {.at_least = at_least});
  ASSERT_EQ(image.rgb.size(), static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
}

TEST(MalformedImage, DamageAtRandom) {
  expect_parsed_or_refused(small_jpeg(), 6000, 11, kPieces, [](const std::string& b) { expect_whole(b, 0); });
  expect_parsed_or_refused(progressive_jpeg(), 4000, 12, kPieces, [](const std::string& b) { expect_whole(b, 5); });
  const std::string ink = jpeg_bytes(8, 8, std::vector<std::uint8_t>(256, 99),
                                     {.input = JCS_CMYK, .file = JCS_YCCK, .components = 4, .adobe = true});
  expect_parsed_or_refused(ink, 3000, 13, kPieces, [](const std::string& b) { expect_whole(b, 0); });
  // Nearly all damage to a PNG is found by its checksums; some of it must get past them, to the decoder.
  const std::string open = header(2, 2, "\x08\x02\0\0\0"sv) + chunk("tEXt", std::string(4000, 'x')) +
                           chunk("IDAT", deflated(std::string(14, '\0'))) + chunk("IEND", "");
  expect_parsed_or_refused(open, 4000, 14, kPieces, [](const std::string& b) { expect_whole(b, 0); });
  Dice dice(15);
  const std::string rows(14, '\0');
  for (int i = 0; i < 4000; ++i) {
    const std::string damaged = header(2, 2, mutated("\x08\x02\0\0\0"s, dice, kPieces).append(5, '\0').substr(0, 5)) +
                                chunk("PLTE", mutated("abcabc", dice, kPieces)) +
                                chunk("tRNS", mutated("ab", dice, kPieces)) +
                                chunk("IDAT", mutated(deflated(rows), dice, kPieces)) + chunk("IEND", "");
    try {
      expect_whole(damaged, 0);
    } catch (const Error& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 5), "fuzz:");
    }
  }
}

}  // namespace
}  // namespace mlpac
