#include "tasks/initial_weights.h"

#include <fmt/format.h>

#include "core/log.h"
#include "core/safetensors.h"
#include "mlpac/error.h"
#include "nn/committee.h"
#include "tasks/model.h"
#include "weights/names.h"
#include "weights/torch_file.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

/// Puts a file's tensors into the network's weights.
void fill_in(Weights& weights, const std::map<std::string, RawTensor>& raw, const std::string& head,
             const std::string& source) {
  NameRules rules;
  for (const char* wrapper : {"model.", "network.", "backbone."}) rules.prefixes.emplace_back(wrapper);
  const auto found = renamed(raw, rules, source);
  std::map<std::string, std::vector<std::int64_t>> wanted;
  for (const auto& [name, tensor] : weights) wanted[name] = tensor.sizes().vec();
  require_match(compare(found, wanted, {head}), source);
  bool kept_head = true;
  for (const auto& [name, shape] : wanted) {
    const bool in_head = name.starts_with(head + '.');
    const auto there = found.find(name);
    if (in_head && (there == found.end() || there->second.shape != shape)) kept_head = false;
  }
  for (auto& [name, tensor] : weights) {
    const auto there = found.find(name);
    if (there == found.end() || (!kept_head && name.starts_with(head + '.'))) continue;
    tensor.copy_(to_tensor(there->second));
  }
  log_info(fmt::format(
      "{}: {}", source,
      kept_head ? "all layers are taken over" : fmt::format("all but the last layer ({}) are taken over", head)));
}

}  // namespace

InitialWeights initial_weights(const fs::path& path, const nlohmann::json& architecture, std::uint64_t seed) {
  if (fs::is_directory(path)) {
    const auto content = load_content(path, {});
    auto weights = copy_weights(*content->network);
    if (content->description.at("architecture").contains("members")) weights = member_weights(weights, 0);
    return {std::move(weights), true};
  }
  if (!fs::exists(path)) {
    throw Error(fmt::format("--init {}: there is no such file or run folder", path.string()));
  }
  const auto network = create_network(architecture);
  network->initialise(seed);
  InitialWeights result{copy_weights(*network)};
  if (path.extension() == ".safetensors") {
    const SafetensorsFile file(path);
    fill_in(result.weights, file.tensors(), network->last_layer(), file.source());
  } else {
    const TorchFile file(path);
    fill_in(result.weights, file.tensors(), network->last_layer(), file.source());
  }
  return result;
}

}  // namespace mlpac
