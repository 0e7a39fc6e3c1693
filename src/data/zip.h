// Zip archives in memory, as far as NumPy writes them: stored and deflated members, 64-bit sizes.
//
// Nothing the archive claims is trusted: every position is checked against the bytes that are there, sizes are those
// that decompression yields, and checksums are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;    ///< CRC-32 of the content
  std::uint64_t compressed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;        ///< bytes of the content, as declared
  std::uint64_t header = 0;      ///< where its local header begins
};

/// The content of a member.
struct ZipContent {
  std::string_view bytes;     ///< within the archive, or within `storage`
  std::vector<char> storage;  ///< what was decompressed
};

class ZipArchive {
 public:
  /// Reads the central directory. The bytes must outlive the archive; `source` is its name in messages.
  ZipArchive(std::string_view bytes, std::string source);

  const std::string& source() const { return source_; }
  /// In the order of the directory; names are unique.
  const std::vector<ZipMember>& members() const { return members_; }
  /// Null if there is none of this name.
  const ZipMember* find(std::string_view name) const;

  /// The whole content of one of the members; `place` is its name in messages. `size_of` gets the first bytes (at least
  /// `head` of them, or all) and says how many the content must have. More are not decompressed, and memory grows with
  /// what decompression yields, never with what is declared.
  ZipContent read(const ZipMember& member, const std::string& place, std::size_t head,
                  const std::function<std::size_t(std::string_view)>& size_of) const;

 private:
  void read_directory();
  void read_member(std::string_view entry);
  void refuse_overlaps() const;
  std::string_view compressed_bytes(const ZipMember& member, const std::string& place) const;
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view bytes_;
  std::string source_;
  std::vector<ZipMember> members_;
};

}  // namespace mlpac
