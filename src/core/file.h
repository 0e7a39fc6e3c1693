// Files that are either complete or not there: temporary name, flush to disk, rename.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mlpac {

/// Writes the pieces one after the other and replaces `path` in one step. On any failure (disk full, no permission)
/// the old file is untouched, the temporary one is removed, and Error says why.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> pieces);
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The whole file; Error with the reason if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Appends one line (a newline is added) or throws Error.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Creates a folder and its parents, or throws Error.
void create_folder(const std::filesystem::path& path);

}  // namespace mlpac
