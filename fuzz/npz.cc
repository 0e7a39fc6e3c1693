// A .npz file of features and labels: as it is, and with the checksums of stored members put right, because hardly any
// change would otherwise get past them.
#include <zlib.h>

#include <cstring>
#include <string>

#include "data/arrays.h"
#include "data/zip_format.h"
#include "fuzz.h"

namespace {

std::string with_right_checksums(std::string bytes) {
  const std::string_view view = bytes;
  for (std::size_t at = view.find(mlpac::kZipEntry); at != std::string_view::npos && view.size() - at >= 46;
       at = view.find(mlpac::kZipEntry, at + 1)) {
    const std::size_t size = mlpac::zip_number<std::uint32_t>(view, at + 20);
    const std::size_t header = mlpac::zip_number<std::uint32_t>(view, at + 42);
    if (header > view.size() || view.size() - header < mlpac::kZipLocalHeader) continue;
    const std::size_t begin = header + mlpac::kZipLocalHeader + mlpac::zip_number<std::uint16_t>(view, header + 26) +
                              mlpac::zip_number<std::uint16_t>(view, header + 28);
    if (begin > view.size() || view.size() - begin < size) continue;
    const auto sum = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(view.data() + begin), size));
    std::memcpy(bytes.data() + at + 16, &sum, sizeof(sum));
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::ReadOptions options;
  options.labels_required = false;
  const auto read = [&](std::string_view text) { mlpac::check(mlpac::parse_arrays(text, "fuzz", options)); };
  mlpac::parsed_or_refused(bytes, size, read);
  const std::string right = with_right_checksums(std::string(reinterpret_cast<const char*>(bytes), size));
  return mlpac::parsed_or_refused(reinterpret_cast<const unsigned char*>(right.data()), right.size(), read);
}
