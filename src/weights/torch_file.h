// State dicts as torch.save writes them (.pth, .ckpt, pytorch_model.bin): a zip archive with a pickle that describes
// the tensors, and one member of raw bytes for each storage. Nothing of the file is executed.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/safetensors.h"

namespace mlpac {

/// A read file: tensors point into it, which is why it cannot be copied.
class TorchFile {
 public:
  explicit TorchFile(const std::filesystem::path& path);
  /// The same for bytes in memory; `source` is for messages.
  TorchFile(std::string content, std::string source);
  TorchFile(const TorchFile&) = delete;
  TorchFile& operator=(const TorchFile&) = delete;

  /// The tensors of the state dict, in row-major order whatever their strides are in the file. A checkpoint that holds
  /// its state dict under "state_dict" or "model", also one in the other, is looked into; its other entries, and
  /// entries that are no tensors, are passed over.
  const std::map<std::string, RawTensor>& tensors() const { return tensors_; }
  const std::string& source() const { return source_; }

 private:
  friend class TorchReader;
  void read();

  std::string content_;
  std::string source_;
  std::deque<std::vector<char>> made_;  ///< bytes that were decompressed or put in order
  std::map<std::string, RawTensor> tensors_;
};

}  // namespace mlpac
