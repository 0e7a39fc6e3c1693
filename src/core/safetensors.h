// The safetensors format: 8-byte little-endian header length, JSON header, raw little-endian data. Our weights and
// checkpoints, and the reference files of the tests. Knows nothing of LibTorch: tensors are bytes with a shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

/// One tensor of a file. `dtype` is the format's own name: F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL.
struct RawTensor {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::string_view bytes;
};

/// Bytes of one element; 0 for a type the format does not have.
std::size_t dtype_size(std::string_view dtype);

/// A read file: tensors point into `content`, which is why it cannot be copied.
class SafetensorsFile {
 public:
  /// Reads and checks everything: header, types, shapes against byte ranges, no overlap beyond the end.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// The same for bytes in memory; `source` is for messages.
  SafetensorsFile(std::string content, std::string source);
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::map<std::string, RawTensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& source() const { return source_; }

 private:
  void parse();
  std::string content_;
  std::string source_;
  std::map<std::string, RawTensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes atomically; tensors are stored in the order of their names, 64-byte aligned as a whole.
void write_safetensors(const std::filesystem::path& path, const std::map<std::string, RawTensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace mlpac
