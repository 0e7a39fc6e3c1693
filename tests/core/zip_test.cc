// Zip archives: what NumPy and other programs write is read, anything that does not fit together is refused.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "array_bytes.h"
#include "data/npz.h"
#include "data/zip.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

std::string content(const ZipArchive& archive, std::string_view name, std::size_t size = kAny) {
  const ZipMember* const member = archive.find(name);
  if (member == nullptr) return "none";
  return std::string(archive.read(*member, "z(m)", 4, [&](std::string_view) { return size; }).bytes);
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i);
  return text;
}

TEST(Zip, StoredAndDeflatedMembers) {
  const std::string text = long_text();
  const std::string bytes = zip({{"a", "hello"}, {"b", text, true}, {"c", "", true}, {"d", ""}});
  const ZipArchive archive(bytes, "z");
  ASSERT_EQ(archive.members().size(), 4U);
  EXPECT_EQ(content(archive, "a"), "hello");
  EXPECT_EQ(content(archive, "b"), text);
  EXPECT_EQ(content(archive, "b", text.size()), text);
  EXPECT_EQ(content(archive, "c"), "");
  EXPECT_EQ(content(archive, "d"), "");
  EXPECT_EQ(archive.find("e"), nullptr);
}

TEST(Zip, LargeSizesAndComments) {
  std::vector<ZipSpec> members{{"a", "hello"}, {"b", "world", true}};
  for (ZipSpec& member : members) member.large = true;
  for (const bool large : {false, true}) {
    const std::string bytes = zip(members, large, "a comment with PK\x05\x06 in it, long enough for a whole record");
    const ZipArchive archive(bytes, "z");
    EXPECT_EQ(content(archive, "a"), "hello");
    EXPECT_EQ(content(archive, "b"), "world");
  }
  EXPECT_TRUE(ZipArchive(zip({}), "z").members().empty());
}

TEST(Zip, DecompressionStopsWhereTheContentMustEnd) {
  // 64 MB of zeros in 64 kB. The declared size lies as well; only what is asked for may be made.
  ZipSpec bomb("a", std::string(std::size_t{64} << 20U, '\0'), true);
  EXPECT_LT(bomb.packed.size(), std::size_t{100} << 10U);
  bomb.size = 1000;
  const std::string bytes = zip({bomb});
  const ZipArchive archive(bytes, "z");
  try {
    content(archive, "a", 1000);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("goes on after the 1000 bytes"), std::string::npos) << error.what();
  }
}

TEST(Zip, MemoryGrowsWithTheContentNotWithTheClaim) {
  // A header that promises 2^60 bytes must not be believed.
  ZipSpec liar("a", "short", true);
  liar.size = std::uint64_t{1} << 60U;
  const std::string bytes = zip({liar});
  EXPECT_THROW(content(ZipArchive(bytes, "z"), "a", std::size_t{1} << 60U), Error);
}

/// An archive and a word of the message.
struct Bad {
  std::string bytes;
  std::string_view word;
};

std::string changed(std::string bytes, std::string_view mark, std::size_t offset, std::string_view with) {
  const std::size_t at = bytes.rfind(mark);
  return bytes.replace(at + offset, with.size(), with);
}

ZipSpec spec(bool compress, const std::function<void(ZipSpec&)>& change) {
  ZipSpec member("m", long_text(), compress);
  change(member);
  return member;
}

TEST(Zip, MalformedArchivesAreRefused) {
  using namespace std::string_view_literals;
  const std::string good = zip({{"m", "hello"}});
  const std::string large = zip({{"m", "hello"}}, true);
  const std::string packed = zip({{"m", long_text(), true}});
  const std::string two = zip({{"m", "hello"}, {"n", "world"}});
  std::vector<ZipSpec> wide{{"m", "hello"}};
  wide[0].large = true;
  constexpr std::string_view kEntry = "PK\x01\x02";
  constexpr std::string_view kEnd = "PK\x05\x06";
  constexpr std::string_view kLocal = "PK\x03\x04";
  const auto method = [](std::uint16_t number) {
    return zip({spec(false, [&](ZipSpec& member) { member.method = number; })});
  };
  const std::vector<Bad> table{
      {"", "missing"},
      {"PK", "missing"},
      {"PK\x05\x06", "missing"},
      {good.substr(0, good.size() - 1), "cut off"},
      {good.substr(0, good.size() / 2), "cut off"},
      {good + "x", "missing"},
      {good.substr(1), "outside"},
      {changed(good, kEnd, 4, "\x01"), "multi-disk"},
      {changed(good, kEnd, 6, "\x01"), "multi-disk"},
      {changed(good, kEnd, 8, "\x02"), "multi-disk"},
      {changed(good, kEnd, 8, "\x02\0\x02\0"sv), "after 1 members, expected 2"},
      {changed(good, kEnd, 8, "\0\0\0\0"sv), "expected 0"},
      {changed(good, kEnd, 12, "\xFF\xFF\xFF\x7F"), "outside"},
      {changed(good, kEnd, 16, "\xFF\xFF\xFF\x7F"), "outside"},
      {changed(good, kEnd, 12, "\x10"), "damaged after 0"},
      {changed(good, kEnd, 16, "\0"sv), "damaged after 0"},
      {changed(good, kEntry, 0, "PX"), "damaged after 0"},
      {changed(good, kEntry, 28, "\xFF\xFF"), "damaged after 0"},
      {changed(good, kEntry, 30, "\xFF"), "damaged after 0"},
      {changed(good, kEntry, 34, "\x01"), "multi-disk"},
      {changed(good, kEntry, 20, "\xFE\xFF\xFF\x7F"), "'m' lies outside"},
      {changed(good, kEntry, 42, "\xFE\xFF\xFF\x7F"), "'m' lies outside"},
      {changed(good, kEntry, 42, "\x05"), "not where"},
      {changed(good, kEntry, 42, "\xFF\xFF\xFF\xFF"), "outside"},
      {changed(zip(wide), kEntry, 46 + 1 + 8, "\x10"), "64-bit sizes"},
      {changed(zip(wide), kEntry, 46 + 1 + 8, "\xFF"), "64-bit sizes"},
      {changed(zip(wide), kEntry, 46 + 1 + 10, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "expected 18446744073709551615"},
      {changed(zip(wide), kEntry, 46 + 1 + 18, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "outside"},
      {changed(large, "PK\x06\x07", 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "64-bit record"},
      {changed(large, "PK\x06\x07", 8, "\0"sv), "64-bit record"},
      {changed(large, "PK\x06\x06", 16, "\x01"), "multi-disk"},
      {changed(large, "PK\x06\x06", 40, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "outside"},
      {changed(large, "PK\x06\x06", 48, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), "outside"},
      {changed(good, kLocal, 0, "PX"), "not where"},
      {changed(good, kLocal, 26, "\xFF\xFF"), "not where"},
      {changed(good, kLocal, 28, "\xFF\xFF"), "not where"},
      {changed(good, kLocal, 30, "x"), "calls itself 'x'"},
      {changed(good, kLocal, 26, "\0"sv), "calls itself ''"},
      {zip({{"m", "a"}, {"m", "b"}}), "'m' occurs twice"},
      {changed(two, kEntry, 42, "\0\0"sv), "overlap"},
      {zip({spec(false, [](ZipSpec& member) { member.flags = 1; })}), "encrypted"},
      {zip({spec(true, [](ZipSpec& member) { member.flags = 0x2000; })}), "encrypted"},
      {method(12), "bzip2"},
      {method(14), "LZMA"},
      {method(93), "Zstandard"},
      {method(99), "AES"},
      {method(1234), "method 1234"},
      {zip({spec(false, [](ZipSpec& member) { member.sum ^= 1; })}), "checksum"},
      {zip({spec(true, [](ZipSpec& member) { member.sum ^= 1; })}), "checksum"},
      {zip({spec(false, [](ZipSpec& member) { member.size += 1; })}), "in the directory"},
      {zip({spec(true, [](ZipSpec& member) { member.size += 1; })}), "in the directory"},
      {zip({spec(true, [](ZipSpec& member) { member.packed.resize(member.packed.size() - 5); })}), "too early"},
      {zip({spec(true, [](ZipSpec& member) { member.packed.clear(); })}), "too early"},
      {zip({spec(true, [](ZipSpec& member) { member.packed[0] = '\x07'; })}), "damaged (invalid block type)"},
      {zip({spec(false, [](ZipSpec& member) { member.method = 8; })}), "damaged"},
  };
  for (const Bad& bad : table) {
    SCOPED_TRACE(bad.word);
    try {
      content(ZipArchive(bad.bytes, "z"), "m");
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.substr(0, 1), "z") << message;
      EXPECT_NE(message.find(bad.word), std::string::npos) << message;
      EXPECT_NE(message.find("expected"), std::string::npos) << message;
      EXPECT_LT(message.size(), 500U) << message;
    }
  }
}

TEST(Zip, ArchivesOfArraysAreRecognised) {
  EXPECT_TRUE(looks_like_npz(npz({{"X", npy_floats("(1, 1)", {1})}})));
  EXPECT_FALSE(looks_like_npz(zip({{"word/document.xml", "text"}})));
  EXPECT_FALSE(looks_like_npz("PK\x03\x04"));
  EXPECT_FALSE(looks_like_npz(zip({})));
  EXPECT_FALSE(looks_like_npz(npy_floats("(1, 1)", {1})));
}

}  // namespace
}  // namespace mlpac
