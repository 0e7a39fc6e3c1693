// Content of zip members: local header, decompression, checksum.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text.h"
#include "data/zip.h"
#include "data/zip_format.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kEncrypted = 0x2041;  // encrypted, strongly encrypted, masked

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 9> kOtherMethods{{{1, "shrink"},
                                                                                   {6, "implode"},
                                                                                   {9, "deflate64"},
                                                                                   {12, "bzip2"},
                                                                                   {14, "LZMA"},
                                                                                   {93, "Zstandard"},
                                                                                   {95, "XZ"},
                                                                                   {98, "PPMd"},
                                                                                   {99, "AES encryption"}}};

/// A raw deflate stream.
class Inflater {
 public:
  Inflater(std::string_view packed, const std::string& place) : packed_(packed), place_(place) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  bool ended() const { return ended_; }

  /// Fills `out` as far as the stream goes and returns how many bytes it wrote.
  std::size_t read(std::span<char> out) {
    std::size_t done = 0;
    while (!ended_ && done < out.size()) {
      const std::size_t room = std::min(out.size() - done, kStep);
      const std::size_t given = std::min(packed_.size(), kStep);
      // zlib's interface is not const-correct: it only reads from next_in.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      stream_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      packed_.remove_prefix(given - stream_.avail_in);
      done += room - stream_.avail_out;
      ended_ = result == Z_STREAM_END;
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_BUF_ERROR) {
        throw Error(
            fmt::format("{}: the compressed data ends too early, expected more; was the file cut off?", place_));
      }
      if (result != Z_OK && !ended_) {
        throw Error(
            fmt::format("{}: the compressed data is damaged ({}), expected what numpy.savez_compressed writes; "
                        "copy or save the file again",
                        place_, stream_.msg != nullptr ? stream_.msg : "no reason given"));
      }
    }
    return done;
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 30U;  // zlib counts in 32 bits

  std::string_view packed_;
  const std::string& place_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

std::string_view ZipArchive::compressed_bytes(const ZipMember& member, const std::string& place) const {
  const auto refuse = [&](std::string_view what) { throw Error(fmt::format("{}: {}", place, what)); };
  if ((member.flags & kEncrypted) != 0) {
    refuse("is encrypted, expected a plain member; save it with numpy.savez");
  }
  if (member.method != kStored && member.method != kDeflated) {
    const auto* const known = std::find_if(kOtherMethods.begin(), kOtherMethods.end(),
                                           [&](const auto& method) { return method.first == member.method; });
    refuse(fmt::format(
        "is compressed by {}, expected stored or deflated; save it with numpy.savez_compressed",
        known != kOtherMethods.end() ? std::string(known->second) : fmt::format("method {}", member.method)));
  }
  const std::string_view rest = bytes_.substr(static_cast<std::size_t>(member.header));
  const bool there = rest.size() >= kZipLocalHeader && rest.substr(0, kZipLocal.size()) == kZipLocal;
  const std::size_t name = there ? zip_number<std::uint16_t>(rest, 26) : 0;
  const std::size_t begin = kZipLocalHeader + name + (there ? zip_number<std::uint16_t>(rest, 28) : 0);
  if (!there || rest.size() < begin || rest.size() - begin < member.compressed) {
    refuse("the member is not where the directory says, expected a whole .npz file; was the file cut off?");
  }
  if (rest.substr(kZipLocalHeader, name) != member.name) {
    refuse(fmt::format("the member calls itself {}, expected {} as in the directory; save the archive again",
                       in_quotes(rest.substr(kZipLocalHeader, name)), in_quotes(member.name)));
  }
  return rest.substr(begin, static_cast<std::size_t>(member.compressed));
}

ZipContent ZipArchive::read(const ZipMember& member, const std::string& place, std::size_t head,
                            const std::function<std::size_t(std::string_view)>& size_of) const {
  const std::string_view packed = compressed_bytes(member, place);
  ZipContent content;
  content.bytes = packed;
  if (member.method == kDeflated) {
    Inflater inflater(packed, place);
    std::vector<char>& out = content.storage;
    out.resize(head);
    std::size_t got = inflater.read(out);
    const std::size_t wanted = size_of({out.data(), got});
    while (got < wanted && !inflater.ended()) {
      out.resize(std::min(wanted, 2 * out.size()));
      got += inflater.read(std::span(out).subspan(got));
    }
    char beyond = 0;
    if (got > wanted || inflater.read({&beyond, 1}) > 0) {
      throw Error(fmt::format("{}: the member goes on after the {} bytes of its array, expected the end; save it again",
                              place, wanted));
    }
    content.bytes = {out.data(), got};
  }
  if (content.bytes.size() != member.size) {
    throw Error(fmt::format("{}: the member has {} bytes, expected {} as in the directory; copy or save the file again",
                            place, content.bytes.size(), member.size));
  }
  const auto* const first = reinterpret_cast<const Bytef*>(content.bytes.data());
  if (crc32_z(0, first, content.bytes.size()) != member.checksum) {
    throw Error(
        fmt::format("{}: the checksum does not match, expected an undamaged file; copy or save it again", place));
  }
  return content;
}

}  // namespace mlpac
