#include "core/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "mlpac/error.h"

namespace mlpac {

namespace {

/// What a process may hold of a file before its pages are unmapped.
constexpr std::size_t kMostTouched = std::size_t{256} << 20U;
/// The system maps so many bytes around a page that is touched, if they are cached.
constexpr std::size_t kAround = std::size_t{64} << 10U;

std::string reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

/// The address as madvise wants it; it changes nothing that can be read.
void* address(const char* at) { return const_cast<char*>(at); }  // NOLINT(cppcoreguidelines-pro-type-const-cast)

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : source_(path.string()) {
  const auto fail = [this](std::string_view why) {
    throw Error(fmt::format("{}: cannot read the file: {}", source_, why));
  };
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail(reason());
  struct stat info {};
  std::string why;
  if (::fstat(file_, &info) != 0) {
    why = reason();
  } else if (!S_ISREG(info.st_mode)) {
    why = "it is no regular file, which alone can be mapped into memory; copy it to a disk";
  } else if (info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* const start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_, 0);
    if (start == MAP_FAILED) {
      why = reason();
    } else {
      bytes_ = {static_cast<const char*>(start), size};
      // Rows are read in random order; readers say what they need next.
      ::madvise(start, size, MADV_RANDOM);
      ::posix_fadvise(file_, 0, 0, POSIX_FADV_RANDOM);
    }
  }
  if (why.empty()) return;
  ::close(file_);
  fail(why);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(address(bytes_.data()), bytes_.size());
  ::close(file_);
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): the part is one of this file
void MappedFile::will_need(std::string_view part) const {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (part.empty()) return;
  const auto skipped = reinterpret_cast<std::uintptr_t>(part.data()) % page;
  ::madvise(address(part.data() - skipped), part.size() + skipped, MADV_WILLNEED);  // a hint: failing harms nothing
}

void MappedFile::copy(std::string_view part, char* out) const {
  auto at = static_cast<off_t>(part.data() - bytes_.data());
  for (auto left = part.size(); left > 0;) {
    const auto count = ::pread(file_, out, left, at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw Error(fmt::format("{}: cannot read the file: {}", source_, count == 0 ? "it was cut" : reason()));
    left -= static_cast<std::size_t>(count);
    out += count;
    at += count;
  }
}

void MappedFile::was_read(std::size_t bytes) const {
  const auto added = std::max(bytes, kAround);
  if (touched_.fetch_add(added, std::memory_order_relaxed) + added < kMostTouched) return;
  touched_.store(0, std::memory_order_relaxed);
  ::madvise(address(bytes_.data()), bytes_.size(), MADV_DONTNEED);  // of a shared file: unmaps, loses nothing
}

}  // namespace mlpac
