#include "core/tensorboard.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/crc32c.h"
#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

using namespace std::string_literals;
using Scalars = std::vector<std::pair<std::string, double>>;

/// Bytes of a number, lowest first.
std::string little(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return bytes;
}

/// A correct record around any data, so that tests reach what comes after the checksums.
std::string framed(const std::string& data) {
  const auto mask = [](std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return little(((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U, 4);
  };
  const std::string length = little(data.size(), 8);
  return length + mask(length) + data + mask(data);
}

std::string error_of(std::string_view bytes) {
  try {
    parse_events(bytes, "run/events");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Crc32c, VectorsOfRfc3720) {
  std::string up;
  for (int i = 0; i < 32; ++i) up += static_cast<char>(i);
  const std::string down(up.rbegin(), up.rend());
  const std::string read_command =
      "\x01\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x14\0\0\0\0\0\x04\0\0\0\0\x14\0\0\0\x18\x28\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0"s;
  ASSERT_EQ(read_command.size(), 48U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(up), 0x46DD794EU);
  EXPECT_EQ(crc32c(down), 0x113FDB5CU);
  EXPECT_EQ(crc32c(read_command), 0xD9963A56U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(TensorBoard, BytesOfTheHeader) {
  const std::string bytes = event_file_header(1.5);
  // Event { wall_time (1, fixed64) = 1.5, file_version (3, bytes) = "brain.Event:2" }
  const std::string event = "\x09\0\0\0\0\0\0\xf8\x3f\x1a\x0d"s + "brain.Event:2";
  ASSERT_EQ(event.size(), 24U);
  EXPECT_EQ(bytes.substr(0, 8), "\x18\0\0\0\0\0\0\0"s);
  // Every file of TensorFlow's writer starts with these twelve bytes: the length 24 and its checksum.
  EXPECT_EQ(bytes.substr(8, 4), "\xa3\x7f\x4b\x22"s);
  EXPECT_EQ(bytes.substr(12, 24), event);
  EXPECT_EQ(bytes, framed(event));
  EXPECT_TRUE(parse_events(bytes, "x").empty());
}

TEST(TensorBoard, BytesOfScalars) {
  const std::string bytes = scalar_events(2.0, 300, {{"loss", 0.5}, {"f1", -2.0}});
  const std::string value1 = "\x0a\x04"s + "loss" + "\x15\0\0\0\x3f"s;  // tag (1, bytes), simple_value (2, fixed32)
  const std::string value2 = "\x0a\x02"s + "f1" + "\x15\0\0\0\xc0"s;
  const std::string summary = "\x0a\x0b"s + value1 + "\x0a\x09"s + value2;  // value (1, bytes), twice
  const std::string event =
      "\x09\0\0\0\0\0\0\0\x40"s  // wall_time (1, fixed64)
      "\x10\xac\x02"s            // step (2, varint)
      "\x2a\x18"s +              // summary (5, bytes)
      summary;
  ASSERT_EQ(summary.size(), 24U);
  EXPECT_EQ(bytes, framed(event));
}

TEST(TensorBoard, NoScalarsNoRecord) { EXPECT_EQ(scalar_events(1, 1, {}), ""); }

TEST(TensorBoard, RoundTrip) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
  const std::string long_tag(100'000, 't');
  const std::vector<std::int64_t> steps{
      0, 1, 127, 128, -1, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  const Scalars scalars{{"zero", 0.0},
                        {"minus zero", -0.0},
                        {"third", 1.0 / 3},
                        {"nan", std::nan("")},
                        {"inf", kInfinity},
                        {"-inf", -kInfinity},
                        {"too large", 1e300},
                        {"too small", -1e300},
                        {"tiny", 1e-300},
                        {"", 7.0},
                        {"\xc3\xa9/\xe2\x82\xac", 8},
                        {long_tag, 9.0}};
  const std::vector<float> expected{
      0.0F,           -0.0F,           1.0F / 3, std::nanf(""), kFloatInfinity, -kFloatInfinity,
      kFloatInfinity, -kFloatInfinity, 0.0F,     7.0F,          8.0F,           9.0F};
  std::string file = event_file_header(1.7e9);
  for (const std::int64_t step : steps) file += scalar_events(1.7e9 + 0.25, step, scalars);
  file += event_file_header(1.8e9);  // as after appending one file to another
  const std::vector<ScalarEvent> events = parse_events(file, "memory");
  ASSERT_EQ(events.size(), steps.size() * scalars.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].wall_time, 1.7e9 + 0.25);
    EXPECT_EQ(events[i].step, steps[i / scalars.size()]);
    EXPECT_EQ(events[i].tag, scalars[i % scalars.size()].first);
    const float value = expected[i % scalars.size()];
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(events[i].value));
    } else {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(events[i].value), std::bit_cast<std::uint32_t>(value));
    }
  }
}

TEST(TensorBoard, FieldsInAnyOrderAndFieldsOfOthers) {
  const std::string value =
      "\x3a\x01n"s         // node_name (7)
      "\x15\0\0\x80\x3f"s  // simple_value 1
      "\x4a\x02\x0a\0"s    // metadata (9)
      "\x0a\x01"
      "a";  // tag
  const std::string image =
      "\x0a\x01"
      "b\x22\x01i";  // tag and an image (4): no scalar
  // The key of the summary (5, bytes) is 0x2a, an asterisk.
  const std::string event = std::string("*") + static_cast<char>(value.size() + image.size() + 4) + "\x0a"s +
                            static_cast<char>(value.size()) + value + "\x0a"s + static_cast<char>(image.size()) +
                            image +
                            "\x38\x07"s        // an unknown number (7)
                            "\x45\x01\0\0\0"s  // an unknown fixed32 (8)
                            "\x10\x05"s        // step
                            "\x09\0\0\0\0\0\0\xf0\x3f"s;
  const std::string graph = "\x22\x03xyz";  // graph_def (4)
  const std::string file = event_file_header(1) + framed(graph) + framed("") + framed(event);
  const std::vector<ScalarEvent> events = parse_events(file, "memory");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].tag, "a");
  EXPECT_EQ(events[0].value, 1.0F);
  EXPECT_EQ(events[0].step, 5);
  EXPECT_EQ(events[0].wall_time, 1.0);
}

TEST(TensorBoard, EveryChangedBitIsRefused) {
  const std::string good = event_file_header(1.5) + scalar_events(2.5, 3, {{"loss", 0.5}});
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ (1U << bit));
      EXPECT_THROW(parse_events(bad, "x"), Error) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(TensorBoard, EveryCutIsRefused) {
  const std::string header = event_file_header(1.5);
  const std::string good = header + scalar_events(2.5, 3, {{"loss", 0.5}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    if (size == header.size()) continue;  // a whole file without points
    EXPECT_THROW(parse_events(std::string_view(good).substr(0, size), "x"), Error) << size;
  }
  EXPECT_EQ(parse_events(good, "x").size(), 1U);
}

TEST(TensorBoard, MalformedFilesAreRefusedWithTheirPlace) {
  const std::string header = event_file_header(1.5);
  struct Case {
    std::string bytes;
    std::string_view words;
  };
  const std::vector<Case> cases{
      {"", "record at byte 0: it ends too early"},
      {"x", "record at byte 0: it ends too early"},
      {"this is no event file at all", "checksum of the length"},
      {scalar_events(1, 1, {{"a", 1}}), "does not state the version"},
      {framed(""), "does not state the version"},
      {framed("\x1a\x0d"
              "brain.Event:1"),
       "another version"},
      {header + header.substr(0, 20), "record at byte 40: it ends too early"},
      {header + little(std::uint64_t{1} << 63U, 8), "record at byte 40: it ends too early"},
      {header + framed("x").substr(0, 12), "record at byte 40: it ends too early"},
      {header + framed("\x80"), "a field of 1 bytes where 0 are left"},
      {header + framed("\x02\0"s), "number 0"},
      {header + framed("\x0b"), "wire type 3"},
      {header + framed("\x0e"), "wire type 6"},
      {header + framed("\x09"
                       "1234567"),
       "a field of 8 bytes where 7 are left"},
      {header + framed("\x08\x01"), "field 1 has wire type 0, expected 1"},
      {header + framed("\x12\x01"
                       "1"),
       "field 2 has wire type 2, expected 0"},
      {header + framed("\x18\x01"), "field 3 has wire type 0, expected 2"},
      {header + framed("\x28\x01"), "field 5 has wire type 0, expected 2"},
      {header + framed("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), "more than 64 bits"},
      {header + framed("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "more than 64 bits"},
      {header + framed("\x2a\x05"), "a field of 5 bytes where 0 are left"},
      {header + framed("\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "a field of 18446744073709551615 bytes"},
      {header + framed("\x2a\x02\x0a\x01"), "a field of 1 bytes where 0 are left"},
      {header + framed("\x2a\x02\x08\x01"), "field 1 has wire type 0, expected 2"},
      {header + framed("\x2a\x04\x0a\x02\x08\x01"), "field 1 has wire type 0, expected 2"},
      {header + framed("\x2a\x04\x0a\x02\x10\x01"), "field 2 has wire type 0, expected 5"},
      {header + framed("\x2a\x06\x0a\x04\x15"
                       "123"),
       "a field of 4 bytes where 3 are left"},
  };
  for (const Case& malformed : cases) {
    const std::string message = error_of(malformed.bytes);
    EXPECT_EQ(message.substr(0, 27), "run/events: record at byte ") << message;
    EXPECT_NE(message.find(malformed.words), std::string::npos) << message << "\nexpected: " << malformed.words;
  }
}

TEST(TensorBoard, RandomMessagesWithGoodChecksumsAreReadOrRefused) {
  const std::string header = event_file_header(1.5);
  const std::string record = scalar_events(2.5, 3, {{"loss", 0.5}, {"f1", 0.25}});
  const std::string event = record.substr(12, record.size() - 16);
  std::uint64_t drawn = 0;
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(bits_at(11, drawn++) % limit); };
  int accepted = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::string changed = event;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      changed[below(changed.size())] = static_cast<char>(below(256));
    }
    if (below(4) == 0) changed.resize(below(changed.size()));
    try {
      parse_events(header + framed(changed), "fuzz");
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 5), "fuzz:") << error.what();
    }
  }
  EXPECT_GT(accepted, kRounds / 50);
  EXPECT_LT(accepted, kRounds);
}

}  // namespace
}  // namespace mlpac
