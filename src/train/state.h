// Everything that must survive an interruption: named tensors and a JSON object. One file, one format, for checkpoints
// and for weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace mlpac {

struct State {
  std::map<std::string, at::Tensor> tensors;
  nlohmann::json values = nlohmann::json::object();

  /// The part whose names start with `prefix`, without it (tensors only).
  std::map<std::string, at::Tensor> tensors_under(const std::string& prefix) const;
};

struct RawTensor;
/// The tensor that bytes of a file are, on the CPU.
at::Tensor to_tensor(const RawTensor& raw);

/// Writes atomically as safetensors; `values` go into its metadata.
void save_state(const std::filesystem::path& path, const State& state);
/// Reads it back, tensors on the CPU. Throws Error for a damaged file.
State load_state(const std::filesystem::path& path);

class Group;
/// The state that the first process has.
State from_first(const Group& group, State state);

}  // namespace mlpac
