#include "train/state.h"

#include <fmt/format.h>

#include <array>

#include "core/safetensors.h"
#include "distributed/group.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

constexpr const char* kValues = "mlpac";

struct TypeName {
  at::ScalarType type;
  const char* name;
};
constexpr std::array<TypeName, 10> kTypes{{{at::kDouble, "F64"},
                                           {at::kFloat, "F32"},
                                           {at::kHalf, "F16"},
                                           {at::kBFloat16, "BF16"},
                                           {at::kLong, "I64"},
                                           {at::kInt, "I32"},
                                           {at::kShort, "I16"},
                                           {at::kChar, "I8"},
                                           {at::kByte, "U8"},
                                           {at::kBool, "BOOL"}}};

}  // namespace

std::map<std::string, at::Tensor> State::tensors_under(const std::string& prefix) const {
  std::map<std::string, at::Tensor> part;
  for (auto it = tensors.lower_bound(prefix); it != tensors.end() && it->first.starts_with(prefix); ++it) {
    part.emplace(it->first.substr(prefix.size()), it->second);
  }
  return part;
}

void save_state(const std::filesystem::path& path, const State& state) {
  std::map<std::string, RawTensor> raw;
  std::vector<at::Tensor> on_host;  // keeps the bytes alive until they are written
  for (const auto& [name, tensor] : state.tensors) {
    on_host.push_back(tensor.detach().to(at::kCPU).contiguous());
    const auto& host = on_host.back();
    const char* type = nullptr;
    for (const auto& entry : kTypes) {
      if (entry.type == host.scalar_type()) type = entry.name;
    }
    if (type == nullptr)
      throw Error(fmt::format("{}: tensor '{}' has a type that cannot be stored", path.string(), name));
    raw[name] = {type, host.sizes().vec(), {static_cast<const char*>(host.data_ptr()), host.nbytes()}};
  }
  std::map<std::string, std::string> metadata;
  if (!state.values.empty()) metadata[kValues] = state.values.dump();
  write_safetensors(path, raw, metadata);
}

at::Tensor to_tensor(const RawTensor& raw) {
  static_assert(kTypes.size() == 10, "every type the format knows is listed");
  for (const auto& entry : kTypes) {
    if (raw.dtype != entry.name) continue;
    auto tensor = at::empty(raw.shape, at::TensorOptions(entry.type));
    if (!raw.bytes.empty()) std::memcpy(tensor.data_ptr(), raw.bytes.data(), raw.bytes.size());
    return tensor;
  }
  throw Error(fmt::format("a tensor has the unknown type '{}'", raw.dtype));
}

State from_first(const Group& group, State state) {
  if (group.alone()) return state;
  nlohmann::json content{{"values", state.values}, {"tensors", nlohmann::json::array()}};
  for (const auto& [name, tensor] : state.tensors) {
    content["tensors"].push_back({name, static_cast<int>(tensor.scalar_type()), tensor.sizes().vec()});
  }
  content = nlohmann::json::parse(group.from_first(content.dump()));
  state.values = content.at("values");
  for (const auto& entry : content.at("tensors")) {
    auto& tensor = state.tensors[entry.at(0).get<std::string>()];
    if (!group.first()) {
      tensor = at::empty(entry.at(2).get<std::vector<std::int64_t>>(),
                         at::TensorOptions(static_cast<at::ScalarType>(entry.at(1).get<int>())));
    }
    if (tensor.numel() > 0) group.from_first(tensor);
  }
  return state;
}

State load_state(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  State state;
  for (const auto& [name, raw] : file.tensors()) state.tensors.emplace(name, to_tensor(raw));
  if (const auto it = file.metadata().find(kValues); it != file.metadata().end()) {
    state.values = nlohmann::json::parse(it->second, nullptr, false);
    if (!state.values.is_object()) throw Error(fmt::format("{}: its metadata is damaged", path.string()));
  }
  return state;
}

}  // namespace mlpac
