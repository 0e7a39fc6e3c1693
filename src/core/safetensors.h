// The safetensors format: 8-byte little-endian header length, JSON header, raw little-endian data. Our weights and
// checkpoints, and the reference files of the tests. Knows nothing of LibTorch: tensors are bytes with a shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/mapped_file.h"

namespace mlpac {

/// One tensor of a file. `dtype` is the format's own name: F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL.
struct RawTensor {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::string_view bytes;
};

/// Bytes of one element; 0 for a type the format does not have.
std::size_t dtype_size(std::string_view dtype);

/// A read file: tensors point into its content, which is why it cannot be copied.
class SafetensorsFile {
 public:
  /// Reads and checks everything: header, types, shapes against byte ranges, no overlap beyond the end.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// The same for bytes in memory; `source` is for messages.
  SafetensorsFile(std::string content, std::string source);
  /// The same for a file that stays where it is: only its header is read.
  explicit SafetensorsFile(std::shared_ptr<const MappedFile> file);
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::map<std::string, RawTensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& source() const { return source_; }
  /// What precedes the tensors: the length of the header, and the header.
  std::string_view header() const { return header_; }
  /// The mapped file; null if the content is in memory.
  const std::shared_ptr<const MappedFile>& file() const { return file_; }

 private:
  void parse(std::string_view all);
  std::string content_;
  std::shared_ptr<const MappedFile> file_;
  std::string source_;
  std::string_view header_;
  std::map<std::string, RawTensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes atomically; tensors are stored in the order of their names, 64-byte aligned as a whole.
void write_safetensors(const std::filesystem::path& path, const std::map<std::string, RawTensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace mlpac
