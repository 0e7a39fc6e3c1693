#include "core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "mlpac/error.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  /// False if closing reports a delayed write error.
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = ::write(fd, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)),
      temporary_(path_.string() + fmt::format(".{}.part", ::getpid())),
      fd_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (fd_ < 0) fail("create a file there");
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::fail(std::string_view what) {
  const std::string why = reason();
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  ::unlink(temporary_.c_str());
  throw Error(
      fmt::format("{}: cannot {}: {}; the previous file, if any, is unchanged. Free space or choose another folder.",
                  path_.string(), what, why));
}

void AtomicFile::write(std::string_view piece) {
  if (!write_all(fd_, piece)) fail("write");
}

void AtomicFile::rewrite(std::uint64_t offset, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::pwrite(fd_, piece.data(), piece.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    piece.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void AtomicFile::commit() {
  if (::fsync(fd_) != 0) fail("flush to disk");
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail("write");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace the file");
  // The new name itself must survive a power cut; a file system that cannot do this loses nothing else.
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.valid()) ::fsync(directory.get());
}

void write_file_atomically(const fs::path& path, std::span<const std::string_view> pieces) {
  AtomicFile file(path);
  for (const std::string_view piece : pieces) file.write(piece);
  file.commit();
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  const std::array<std::string_view, 1> pieces{content};
  write_file_atomically(path, pieces);
}

std::string read_file(const fs::path& path, std::size_t longest_line) {
  const auto fail = [&](std::string_view why) {
    throw Error(fmt::format("{}: cannot read the file: {}", path.string(), why));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) fail(reason());
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) fail("it is a folder; name a file in it");
  // One byte more than a small file has, so that the second read finds its end; tens of thousands of images are read.
  std::size_t chunk = std::size_t{1} << 20U;
  std::string content;
  if (S_ISREG(info.st_mode)) {
    const auto expected = static_cast<std::size_t>(info.st_size);
    chunk = std::clamp(expected + 1, std::size_t{4096}, chunk);
    content.reserve(expected + chunk);
  }
  std::size_t line = 0;  // where the last line begins
  for (;;) {
    const std::size_t size = content.size();
    content.resize(size + chunk);
    const ssize_t got = ::read(file.get(), content.data() + size, chunk);
    content.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(reason());
    if (got == 0) return content;
    const std::size_t end = std::string_view(content).substr(size).rfind('\n');
    if (end != std::string_view::npos) line = size + end + 1;
    if (content.size() - line > longest_line) {
      throw Error(fmt::format("{}: a line is longer than {} MB, expected text; is this a binary file?", path.string(),
                              longest_line >> 20U));
    }
  }
}

void append_bytes(const fs::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.valid() || !write_all(file.get(), bytes) || !file.close()) {
    throw Error(fmt::format("{}: cannot append: {}", path.string(), reason()));
  }
}

void append_line(const fs::path& path, std::string_view line) { append_bytes(path, std::string(line) + '\n'); }

void create_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(fmt::format("{}: cannot create the folder: {}", path.string(), error.message()));
}

}  // namespace mlpac
