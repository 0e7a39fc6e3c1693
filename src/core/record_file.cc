#include "core/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "mlpac/error.h"

namespace mlpac {

RecordFile::RecordFile(std::filesystem::path path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) {
    throw Error(fmt::format("{}: cannot read the file: {}", path_.string(), std::generic_category().message(errno)));
  }
}

RecordFile::~RecordFile() { ::close(fd_); }

std::string RecordFile::read(std::uint64_t begin, std::uint64_t end) const {
  std::string bytes(static_cast<std::size_t>(end - begin), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::pread(fd_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(begin + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(fmt::format("{}: bytes {} to {} are not there any more; was the file changed? Start again.",
                              path_.string(), begin, end));
    }
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace mlpac
