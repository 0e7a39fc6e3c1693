// A PNG image: decoded or refused, never anything else. Checksums are set right, or nearly all input would end there.
#include <zlib.h>

#include <vector>

#include "image.h"

namespace {

std::size_t number_at(const std::vector<unsigned char>& bytes, std::size_t at) {
  return std::size_t{bytes[at]} << 24U | std::size_t{bytes[at + 1]} << 16U | std::size_t{bytes[at + 2]} << 8U |
         std::size_t{bytes[at + 3]};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::decoded_or_refused(bytes, size, {});
  std::vector<unsigned char> file(bytes, bytes + size);
  for (std::size_t at = 8; at + 12 <= file.size();) {  // length, type, content, checksum
    const std::size_t length = number_at(file, at);
    if (length > file.size() - at - 12) break;
    const unsigned long sum = crc32(0, file.data() + at + 4, static_cast<unsigned>(length + 4));
    for (unsigned i = 0; i < 4; ++i) file[at + 8 + length + i] = static_cast<unsigned char>(sum >> (24U - 8 * i));
    at += length + 12;
  }
  return mlpac::decoded_or_refused(file.data(), file.size(), {});
}
