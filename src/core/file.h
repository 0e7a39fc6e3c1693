// Files that are either complete or not there: temporary name, flush to disk, rename.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mlpac {

/// A file that grows under a temporary name and appears under its own, complete, when it is committed. On any failure
/// (disk full, no permission) the old file is untouched, the temporary one is removed, and Error says why.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  ///< removes the temporary file if nothing was committed

  void write(std::string_view piece);
  /// Writes over bytes that are there already: what is known only in the end but stands at the beginning.
  void rewrite(std::uint64_t offset, std::string_view piece);
  void commit();

 private:
  [[noreturn]] void fail(std::string_view what);

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_ = -1;
};

/// Writes the pieces one after the other and replaces `path` in one step, as AtomicFile does.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> pieces);
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The whole file; Error with the reason if it cannot be read, or if more than `longest_line` bytes come without a line
/// end: then it is no text, or a pipe that never ends.
std::string read_file(const std::filesystem::path& path, std::size_t longest_line = std::string::npos);

/// Appends, or throws Error; a line gets a newline.
void append_bytes(const std::filesystem::path& path, std::string_view bytes);
void append_line(const std::filesystem::path& path, std::string_view line);

/// Creates a folder and its parents, or throws Error.
void create_folder(const std::filesystem::path& path);

}  // namespace mlpac
