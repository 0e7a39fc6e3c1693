// A file whose bytes are read where they lie: the system loads pages when they are touched, shares them between
// processes, and forgets them when memory is short.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace mlpac {

/// Any number of threads may read. A file that is made shorter while it is mapped ends the process (SIGBUS): replace
/// files by renaming, as AtomicFile does.
class MappedFile {
 public:
  /// Error if the path is no readable regular file.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }
  const std::string& source() const { return source_; }

  /// A part of the file will be read soon: the system may begin to load it.
  void will_need(std::string_view part) const;
  /// Copies a part of the file. For small parts here and there this takes a third of the time of reading them where
  /// they are mapped, because no pages have to be entered for this process. Error if the file has become shorter or
  /// fails.
  void copy(std::string_view part, char* out) const;
  /// A part was read where it is mapped. Pages that were touched count as memory of this process although the system
  /// could take them back; once they are many they are unmapped, so that what a process holds stays bounded. Their
  /// content stays cached.
  void was_read(std::size_t bytes) const;

 private:
  std::string source_;
  int file_ = -1;
  std::string_view bytes_;
  mutable std::atomic<std::size_t> touched_ = 0;
};

}  // namespace mlpac
