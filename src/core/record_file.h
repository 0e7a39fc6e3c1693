// A file of which single pieces are read when they are asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace mlpac {

/// Stays open, so that it is the same file however long it is used, also when another one takes its name.
class RecordFile {
 public:
  explicit RecordFile(std::filesystem::path path);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  ~RecordFile();

  /// Bytes [begin, end); Error if they are not there. Any thread may read.
  std::string read(std::uint64_t begin, std::uint64_t end) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace mlpac
