// Arrays of a .npz file by name: a zip archive of .npy files.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "data/npy.h"
#include "data/zip.h"

namespace mlpac {

class NpzFile {
 public:
  /// The bytes must outlive the file and its arrays; `source` is its name in messages.
  NpzFile(std::string_view bytes, std::string source) : archive_(bytes, std::move(source)) {}

  const std::string& source() const { return archive_.source(); }
  bool contains(std::string_view name) const { return archive_.find(member_name(name)) != nullptr; }

  /// Reads and decompresses one array. Throws Error if there is none of this name.
  NpyArray read(std::string_view name) const;

  /// Names of the arrays for messages: the first few, in quotes.
  std::string names() const;

 private:
  static std::string member_name(std::string_view name) { return std::string(name) + ".npy"; }

  ZipArchive archive_;
};

/// True if the bytes begin as a zip archive whose first member is an array.
bool looks_like_npz(std::string_view head);

/// True if the bytes begin as a zip archive does.
bool looks_like_zip(std::string_view head);

}  // namespace mlpac
