#include "tasks/pretrained_encoder.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "core/file.h"
#include "mlpac/error.h"
#include "weights/names.h"
#include "weights/torch_file.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

at::Tensor tensor_of(const RawTensor& raw, const std::string& name, const std::string& source) {
  const auto type = raw.dtype == "F32"    ? at::kFloat
                    : raw.dtype == "F16"  ? at::kHalf
                    : raw.dtype == "BF16" ? at::kBFloat16
                    : raw.dtype == "F64"  ? at::kDouble
                                          : at::kLong;
  if (type == at::kLong) throw Error(fmt::format("{}: '{}' has type {}, expected numbers", source, name, raw.dtype));
  const auto tensor = at::empty(raw.shape, at::TensorOptions(type));
  if (!raw.bytes.empty()) std::memcpy(tensor.data_ptr(), raw.bytes.data(), raw.bytes.size());
  return tensor.to(at::kFloat);
}

/// Names of layers as the oldest files have them.
std::string modern(std::string name) {
  for (const auto& [old, now] : {std::pair{".gamma", ".weight"}, std::pair{".beta", ".bias"}}) {
    if (name.ends_with(old)) name.replace(name.size() - std::strlen(old), std::string::npos, now);
  }
  return name;
}

std::map<std::string, at::Tensor> fitted(const std::map<std::string, RawTensor>& found, const Network& network,
                                         const std::string& source) {
  std::map<std::string, RawTensor> own;
  for (const auto& [name, raw] : renamed(found, {.prefixes = {"module.", "bert.", "roberta.", "model."}}, source)) {
    own.emplace(modern(name), raw);
  }
  const auto body = network.body();
  std::map<std::string, std::vector<std::int64_t>> wanted;
  for (const auto& [name, tensor] : named_tensors(network)) {
    if (name.starts_with(body)) wanted[name.substr(body.size())] = tensor.sizes().vec();
  }
  // Heads of language models, the pooled vector, and a buffer that old versions stored.
  const std::vector<std::string> unused{"pooler",     "cls",        "lm_head",
                                        "classifier", "qa_outputs", "embeddings.position_ids"};
  require_match(compare(own, wanted, unused), source);
  std::map<std::string, at::Tensor> result;
  for (const auto& [name, shape] : wanted) result[body + name] = tensor_of(own.at(name), name, source);
  return result;
}

}  // namespace

nlohmann::json read_config_json(const fs::path& folder) {
  const auto file = folder / "config.json";
  if (!fs::exists(file))
    throw Error(fmt::format("{}: not there; --encoder names a folder that holds it", file.string()));
  auto config = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!config.is_object()) throw Error(fmt::format("{}: not a JSON object", file.string()));
  return config;
}

std::map<std::string, at::Tensor> read_encoder_weights(const fs::path& folder, const Network& network) {
  if (const auto file = folder / "model.safetensors"; fs::exists(file)) {
    const SafetensorsFile content(file);
    return fitted(content.tensors(), network, file.string());
  }
  if (const auto file = folder / "pytorch_model.bin"; fs::exists(file)) {
    const TorchFile content(file);
    return fitted(content.tensors(), network, file.string());
  }
  throw Error(fmt::format("{}: neither model.safetensors nor pytorch_model.bin is there", folder.string()));
}

}  // namespace mlpac
