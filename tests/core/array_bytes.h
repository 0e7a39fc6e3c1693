// Bytes of .npy and .npz files for tests, written without NumPy.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

/// A number as little-endian bytes.
template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

template <typename T>
std::string raw_list(std::initializer_list<T> values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    std::string one = raw(value);
    if (big_endian) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

/// A .npy file with any header text; padded to 64 bytes as NumPy does.
inline std::string npy_text(std::string header, std::string_view data, int version = 1) {
  const std::size_t prefix = version == 1 ? 10 : 12;
  header.append(64 - (prefix + header.size() + 1) % 64, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  bytes +=
      version == 1 ? raw(static_cast<std::uint16_t>(header.size())) : raw(static_cast<std::uint32_t>(header.size()));
  return bytes + header + std::string(data);
}

/// A .npy file as numpy.save writes it.
inline std::string npy(std::string_view descr, std::string_view shape, std::string_view data, bool fortran = false) {
  return npy_text("{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                      ", 'shape': " + std::string(shape) + ", }",
                  data);
}

inline std::string npy_floats(std::string_view shape, std::initializer_list<float> values) {
  return npy("<f4", shape, raw_list(values));
}
inline std::string npy_integers(std::initializer_list<std::int64_t> values) {
  return npy("<i8", "(" + std::to_string(values.size()) + ",)", raw_list(values));
}

/// An array of byte strings of the length of the longest.
inline std::string npy_names(const std::vector<std::string>& names) {
  std::size_t length = 1;
  for (const std::string& name : names) length = std::max(length, name.size());
  std::string data;
  for (const std::string& name : names) data += name + std::string(length - name.size(), '\0');
  return npy("|S" + std::to_string(length), "(" + std::to_string(names.size()) + ",)", data);
}

inline std::string deflated(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::uint32_t checksum(std::string_view content) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

/// One member of an archive; the fields may lie.
struct ZipSpec {
  ZipSpec(std::string member_name, std::string member_content, bool compress = false)
      : name(std::move(member_name)),
        method(compress ? 8 : 0),
        size(member_content.size()),
        sum(checksum(member_content)),
        packed(compress ? deflated(member_content) : std::move(member_content)) {}

  std::string name;
  std::uint16_t method;
  std::uint64_t size;
  std::uint32_t sum;
  std::string packed;
  std::uint16_t flags = 0;
  bool large = false;  ///< sizes and position in a 64-bit extra field of the directory
};

/// A zip archive; local headers as NumPy writes them, with 64-bit sizes. `large`: also the record at the end.
inline std::string zip(const std::vector<ZipSpec>& members, bool large = false, const std::string& comment = {}) {
  const std::uint32_t elsewhere = 0xFFFFFFFFU;
  std::string bytes;
  std::string directory;
  for (const ZipSpec& member : members) {
    const auto header = static_cast<std::uint64_t>(bytes.size());
    const auto packed = static_cast<std::uint64_t>(member.packed.size());
    const auto name = static_cast<std::uint16_t>(member.name.size());
    const std::string sizes = raw(std::uint16_t{1}) + raw(std::uint16_t{16}) + raw(member.size) + raw(packed);
    const std::string common = raw(member.flags) + raw(member.method) + raw(std::uint32_t{0}) + raw(member.sum);
    bytes += "PK\x03\x04" + raw(std::uint16_t{45}) + common + raw(elsewhere) + raw(elsewhere) + raw(name) +
             raw(static_cast<std::uint16_t>(sizes.size())) + member.name + sizes + member.packed;
    const std::string extra = member.large
                                  ? raw(std::uint16_t{0xCAFE}) + raw(std::uint16_t{2}) + "xx" + raw(std::uint16_t{1}) +
                                        raw(std::uint16_t{24}) + raw(member.size) + raw(packed) + raw(header)
                                  : std::string();
    const auto narrow = [&](std::uint64_t value) {
      return raw(member.large ? elsewhere : static_cast<std::uint32_t>(value));
    };
    directory += "PK\x01\x02" + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) + common + narrow(packed) +
                 narrow(member.size) + raw(name) + raw(static_cast<std::uint16_t>(extra.size())) +
                 std::string(10, '\0') + narrow(header) + member.name + extra;
  }
  const auto offset = static_cast<std::uint64_t>(bytes.size());
  const auto size = static_cast<std::uint64_t>(directory.size());
  const auto count = static_cast<std::uint64_t>(members.size());
  bytes += directory;
  if (large) {
    const auto record = static_cast<std::uint64_t>(bytes.size());
    bytes += "PK\x06\x06" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) +
             raw(std::uint64_t{0}) + raw(count) + raw(count) + raw(size) + raw(offset);
    bytes += "PK\x06\x07" + raw(std::uint32_t{0}) + raw(record) + raw(std::uint32_t{1});
  }
  const auto short_count = static_cast<std::uint16_t>(large ? 0xFFFF : count);
  return bytes + "PK\x05\x06" + raw(std::uint32_t{0}) + raw(short_count) + raw(short_count) +
         raw(large ? elsewhere : static_cast<std::uint32_t>(size)) +
         raw(large ? elsewhere : static_cast<std::uint32_t>(offset)) + raw(static_cast<std::uint16_t>(comment.size())) +
         comment;
}

/// Arrays by name, as numpy.savez writes them.
struct NamedArray {
  std::string name;
  std::string bytes;
};
inline std::string npz(const std::vector<NamedArray>& arrays, bool compress = false) {
  std::vector<ZipSpec> members;
  for (const NamedArray& array : arrays) members.emplace_back(array.name + ".npy", array.bytes, compress);
  return zip(members);
}

}  // namespace mlpac
