// A lock between processes.
#pragma once

#include <filesystem>

namespace mlpac {

/// Held by at most one process, as long as the object lives; a process that dies gives it up.
class FileLock {
 public:
  FileLock() = default;
  /// Creates the file; what others hold is not waited for.
  explicit FileLock(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  bool held() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace mlpac
