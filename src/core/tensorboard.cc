#include "core/tensorboard.h"

#include <fmt/format.h>

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
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::string_view kVersion = "brain.Event:2";

// Field numbers of tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto.
constexpr std::uint64_t kEventWallTime = 1;
constexpr std::uint64_t kEventStep = 2;
constexpr std::uint64_t kEventFileVersion = 3;
constexpr std::uint64_t kEventSummary = 5;
constexpr std::uint64_t kSummaryValue = 1;
constexpr std::uint64_t kValueTag = 1;
constexpr std::uint64_t kValueSimple = 2;

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kChecksumBytes = 4;

/// Checksums are stored in this form because a checksum of data that contains checksums is weak.
std::uint32_t masked_checksum(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

/// Appends the lowest `size` bytes, lowest first.
void put_fixed(std::string& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

std::uint64_t get_fixed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) value = value << 8U | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_key(std::string& out, std::uint64_t field, Wire wire) {
  put_varint(out, field << 3U | static_cast<std::uint64_t>(wire));
}

void put_bytes(std::string& out, std::uint64_t field, std::string_view bytes) {
  put_key(out, field, Wire::bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

void put_wall_time(std::string& out, double wall_time) {
  put_key(out, kEventWallTime, Wire::fixed64);
  put_fixed(out, std::bit_cast<std::uint64_t>(wall_time), 8);
}

std::string record(std::string_view data) {
  std::string out;
  put_fixed(out, data.size(), kLengthBytes);
  put_fixed(out, masked_checksum(out), kChecksumBytes);
  out += data;
  put_fixed(out, masked_checksum(data), kChecksumBytes);
  return out;
}

/// Nearest float; the conversion of a double beyond the range of float is not defined by the language.
float to_float(double value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    return value > 0 ? kInfinity : -kInfinity;
  return static_cast<float>(value);
}

/// One field of a protobuf message: `number` is its value for varint and fixed wire types, `bytes` for the other.
struct Field {
  std::uint64_t id = 0;
  Wire wire = Wire::varint;
  std::uint64_t number = 0;
  std::string_view bytes;
};

/// Takes the fields of a message one by one.
class MessageReader {
 public:
  MessageReader(std::string_view message, const std::string& place) : rest_(message), place_(place) {}

  bool done() const { return rest_.empty(); }

  Field next() {
    const std::uint64_t key = varint();
    Field field;
    field.id = key >> 3U;
    if (field.id == 0) fail("a field with number 0");
    switch (key & 7U) {
      case 0:
        field.number = varint();
        break;
      case 1:
        field.wire = Wire::fixed64;
        field.number = get_fixed(take(8));
        break;
      case 2:
        field.wire = Wire::bytes;
        field.bytes = take(varint());
        break;
      case 5:
        field.wire = Wire::fixed32;
        field.number = get_fixed(take(4));
        break;
      default:
        fail(fmt::format("a field of wire type {}", key & 7U));
    }
    return field;
  }

  void expect(const Field& field, Wire wire) const {
    if (field.wire != wire) {
      fail(fmt::format("field {} has wire type {}, expected {}", field.id, static_cast<int>(field.wire),
                       static_cast<int>(wire)));
    }
  }

  [[noreturn]] void fail(std::string_view what) const { throw Error(fmt::format("{}: {}", place_, what)); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail(fmt::format("a field of {} bytes where {} are left", size, rest_.size()));
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = static_cast<unsigned char>(take(1).front());
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    fail("a number of more than 64 bits");
  }

  std::string_view rest_;
  const std::string& place_;
};

/// Appends the scalars of a Summary with tag and value only.
void parse_summary(std::string_view summary, const std::string& place, std::vector<ScalarEvent>& scalars) {
  for (MessageReader values(summary, place); !values.done();) {
    const Field value = values.next();
    if (value.id != kSummaryValue) continue;
    values.expect(value, Wire::bytes);
    ScalarEvent scalar;
    bool has_value = false;
    for (MessageReader fields(value.bytes, place); !fields.done();) {
      const Field field = fields.next();
      if (field.id == kValueTag) {
        fields.expect(field, Wire::bytes);
        scalar.tag = field.bytes;
      } else if (field.id == kValueSimple) {
        fields.expect(field, Wire::fixed32);
        scalar.value = std::bit_cast<float>(static_cast<std::uint32_t>(field.number));
        has_value = true;
      }
    }
    if (has_value) scalars.push_back(std::move(scalar));
  }
}

/// Appends the scalars of an Event; true if it states the version of the file.
bool parse_event(std::string_view event, const std::string& place, std::vector<ScalarEvent>& scalars) {
  const std::size_t first = scalars.size();
  double wall_time = 0;
  std::int64_t step = 0;
  bool versioned = false;
  for (MessageReader fields(event, place); !fields.done();) {
    const Field field = fields.next();
    if (field.id == kEventWallTime) {
      fields.expect(field, Wire::fixed64);
      wall_time = std::bit_cast<double>(field.number);
    } else if (field.id == kEventStep) {
      fields.expect(field, Wire::varint);
      step = static_cast<std::int64_t>(field.number);
    } else if (field.id == kEventFileVersion) {
      fields.expect(field, Wire::bytes);
      if (field.bytes != kVersion) fields.fail(fmt::format("another version of the format, expected {}", kVersion));
      versioned = true;
    } else if (field.id == kEventSummary) {
      fields.expect(field, Wire::bytes);
      parse_summary(field.bytes, place, scalars);
    }
  }
  // Fields may come in any order, so time and step are known only now.
  for (std::size_t i = first; i < scalars.size(); ++i) {
    scalars[i].wall_time = wall_time;
    scalars[i].step = step;
  }
  return versioned;
}

}  // namespace

std::string event_file_header(double wall_time) {
  std::string event;
  put_wall_time(event, wall_time);
  put_bytes(event, kEventFileVersion, kVersion);
  return record(event);
}

std::string scalar_events(double wall_time, std::int64_t step,
                          const std::vector<std::pair<std::string, double>>& scalars) {
  if (scalars.empty()) return {};
  std::string summary;
  for (const auto& [tag, number] : scalars) {
    std::string value;
    put_bytes(value, kValueTag, tag);
    put_key(value, kValueSimple, Wire::fixed32);
    put_fixed(value, std::bit_cast<std::uint32_t>(to_float(number)), 4);
    put_bytes(summary, kSummaryValue, value);
  }
  std::string event;
  put_wall_time(event, wall_time);
  put_key(event, kEventStep, Wire::varint);
  put_varint(event, static_cast<std::uint64_t>(step));  // a negative step takes ten bytes, as protobuf wants
  put_bytes(event, kEventSummary, summary);
  return record(event);
}

std::vector<ScalarEvent> parse_events(std::string_view bytes, const std::string& source) {
  std::vector<ScalarEvent> scalars;
  for (std::size_t start = 0; start < bytes.size() || start == 0;) {
    const std::string place = fmt::format("{}: record at byte {}", source, start);
    const auto fail = [&](std::string_view what) { throw Error(fmt::format("{}: {}", place, what)); };
    const auto take = [&](std::uint64_t size) {
      if (size > bytes.size() - start) fail("it ends too early, expected a whole record; the file is cut off");
      const std::string_view taken = bytes.substr(start, size);
      start += size;
      return taken;
    };
    const auto verify = [&](std::string_view data, std::string_view what) {
      if (get_fixed(take(kChecksumBytes)) != masked_checksum(data))
        fail(fmt::format("the checksum of the {} is wrong; the file is damaged or no event file", what));
    };
    const bool first = start == 0;
    const std::string_view length = take(kLengthBytes);
    verify(length, "length");
    const std::string_view data = take(get_fixed(length));
    verify(data, "data");
    const bool versioned = parse_event(data, place, scalars);
    if (first && !versioned) fail(fmt::format("it does not state the version {}; no event file", kVersion));
  }
  return scalars;
}

}  // namespace mlpac
