// The directory of a zip archive; zip_content.cc reads the members.
#include "data/zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/text.h"
#include "data/zip_format.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// The directory, as the record at the end of the archive describes it.
struct Directory {
  std::uint64_t disk = 0;        ///< of this record
  std::uint64_t first_disk = 0;  ///< where the directory begins
  std::uint64_t here = 0;        ///< entries on this disk
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

constexpr std::size_t kEndRecord = 22;
constexpr std::size_t kLargeEndRecord = 56;
constexpr std::size_t kLocator = 20;
constexpr std::size_t kEntry = 46;
constexpr std::size_t kLongestComment = 65535;
constexpr std::string_view kCutOff = "was the file cut off?";

/// Where the record at the end begins: the last one whose comment fills the rest of the archive.
std::size_t find_end(std::string_view bytes) {
  if (bytes.size() < kEndRecord) return std::string_view::npos;
  std::size_t at = bytes.size() - kEndRecord;
  const std::size_t first = at - std::min(at, kLongestComment);
  while (true) {
    at = bytes.rfind(kZipEnd, at);
    if (at == std::string_view::npos || at < first) return std::string_view::npos;
    if (at + kEndRecord + zip_number<std::uint16_t>(bytes, at + 20) == bytes.size()) return at;
    if (at == 0) return std::string_view::npos;
    --at;
  }
}

Directory end_record(std::string_view bytes, std::size_t at) {
  return {zip_number<std::uint16_t>(bytes, at + 4),  zip_number<std::uint16_t>(bytes, at + 6),
          zip_number<std::uint16_t>(bytes, at + 8),  zip_number<std::uint16_t>(bytes, at + 10),
          zip_number<std::uint32_t>(bytes, at + 12), zip_number<std::uint32_t>(bytes, at + 16)};
}

Directory large_end_record(std::string_view bytes, std::size_t at) {
  return {zip_number<std::uint32_t>(bytes, at + 16), zip_number<std::uint32_t>(bytes, at + 20),
          zip_number<std::uint64_t>(bytes, at + 24), zip_number<std::uint64_t>(bytes, at + 32),
          zip_number<std::uint64_t>(bytes, at + 40), zip_number<std::uint64_t>(bytes, at + 48)};
}

/// The extra field with 64-bit sizes: those that do not fit the entry, in a fixed order. False if it is too short.
bool take_large_sizes(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const auto id = zip_number<std::uint16_t>(extra, 0);
    const std::size_t length = zip_number<std::uint16_t>(extra, 2);
    extra.remove_prefix(4);
    if (length > extra.size()) return false;
    std::string_view field = extra.substr(0, length);
    extra.remove_prefix(length);
    if (id != 1) continue;
    for (std::uint64_t* const value : {&member.size, &member.compressed, &member.header}) {
      if (*value != kZipElsewhere) continue;
      if (field.size() < 8) return false;
      *value = zip_number<std::uint64_t>(field, 0);
      field.remove_prefix(8);
    }
    return true;
  }
  return true;
}

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {
  read_directory();
}

void ZipArchive::fail(std::string_view what) const { throw Error(fmt::format("{}: {}", source_, what)); }

void ZipArchive::read_directory() {
  std::size_t end = find_end(bytes_);
  if (end == std::string_view::npos) {
    fail(fmt::format("the directory at the end of the archive is missing, expected a whole .npz file; {}", kCutOff));
  }
  Directory directory = end_record(bytes_, end);
  if (end >= kLocator && bytes_.substr(end - kLocator, kZipLocator.size()) == kZipLocator) {
    const auto at = zip_number<std::uint64_t>(bytes_, end - kLocator + 8);
    if (end - kLocator < kLargeEndRecord || at > end - kLocator - kLargeEndRecord ||
        bytes_.substr(static_cast<std::size_t>(at), kZipLargeEnd.size()) != kZipLargeEnd) {
      fail(fmt::format("the 64-bit record at the end of the archive is missing, expected a whole .npz file; {}",
                       kCutOff));
    }
    end = static_cast<std::size_t>(at);
    directory = large_end_record(bytes_, end);
  }
  if (directory.disk != 0 || directory.first_disk != 0 || directory.here != directory.entries) {
    fail("is one part of a multi-disk zip archive, expected a single file; save it with numpy.savez");
  }
  if (directory.offset > end || directory.size > end - directory.offset) {
    fail(fmt::format("the directory lies outside the archive, expected a whole .npz file; {}", kCutOff));
  }
  std::string_view rest =
      bytes_.substr(static_cast<std::size_t>(directory.offset), static_cast<std::size_t>(directory.size));
  std::uint64_t count = 0;
  for (; !rest.empty(); ++count) {
    if (rest.size() < kEntry || rest.substr(0, kZipEntry.size()) != kZipEntry) break;
    const std::size_t length = kEntry + zip_number<std::uint16_t>(rest, 28) + zip_number<std::uint16_t>(rest, 30) +
                               zip_number<std::uint16_t>(rest, 32);
    if (rest.size() < length) break;
    read_member(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (!rest.empty() || count != directory.entries) {
    fail(fmt::format("the directory of the archive is damaged after {} members, expected {}; save it again", count,
                     directory.entries));
  }
  refuse_overlaps();
}

void ZipArchive::read_member(std::string_view entry) {
  ZipMember member;
  const std::size_t name_length = zip_number<std::uint16_t>(entry, 28);
  member.name = entry.substr(kEntry, name_length);
  member.flags = zip_number<std::uint16_t>(entry, 8);
  member.method = zip_number<std::uint16_t>(entry, 10);
  member.checksum = zip_number<std::uint32_t>(entry, 16);
  member.compressed = zip_number<std::uint32_t>(entry, 20);
  member.size = zip_number<std::uint32_t>(entry, 24);
  member.header = zip_number<std::uint32_t>(entry, 42);
  const auto disk = zip_number<std::uint16_t>(entry, 34);
  if (!take_large_sizes(entry.substr(kEntry + name_length, zip_number<std::uint16_t>(entry, 30)), member)) {
    fail(fmt::format("the 64-bit sizes of member {} are damaged, expected a whole .npz file; save it again",
                     in_quotes(member.name)));
  }
  if (disk != 0 && disk != 0xFFFF) {
    fail("is one part of a multi-disk zip archive, expected a single file; save it with numpy.savez");
  }
  if (member.header > bytes_.size() || member.compressed > bytes_.size() - member.header) {
    fail(fmt::format("member {} lies outside the archive, expected a whole .npz file; {}", in_quotes(member.name),
                     kCutOff));
  }
  members_.push_back(std::move(member));
}

void ZipArchive::refuse_overlaps() const {
  std::unordered_set<std::string_view> names;
  std::vector<const ZipMember*> order;
  for (const ZipMember& member : members_) {
    if (!names.insert(member.name).second) {
      fail(fmt::format("member {} occurs twice, expected once; save the archive again", in_quotes(member.name)));
    }
    order.push_back(&member);
  }
  std::sort(order.begin(), order.end(), [](const ZipMember* a, const ZipMember* b) { return a->header < b->header; });
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const ZipMember& member = *order[i];
    // Many members that share their bytes are how a small archive is made to unpack to a huge one.
    if (member.header + kZipLocalHeader + member.name.size() + member.compressed > order[i + 1]->header) {
      fail(fmt::format("members {} and {} overlap, expected separate ones; save the archive again",
                       in_quotes(member.name), in_quotes(order[i + 1]->name)));
    }
  }
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const ZipMember& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

}  // namespace mlpac
