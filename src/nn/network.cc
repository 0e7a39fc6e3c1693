#include "nn/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/names.h"
#include "mlpac/error.h"
#include "nn/cnn13.h"
#include "nn/committee.h"
#include "nn/cosine.h"
#include "nn/dense.h"
#include "nn/dreeam.h"
#include "nn/resnet.h"
#include "nn/tresnet.h"

namespace mlpac {

namespace {

constexpr std::array<NetworkEntry, 8> kNetworks{{
    {"linear", "features: one linear layer", NetworkInput::features, create_linear},
    {"mlp", "features: hidden layers of the given --widths with ReLU and --dropout", NetworkInput::features,
     create_mlp},
    {"cosine", "features: an mlp to an embedding that is compared with embeddings of the classes and of a none class",
     NetworkInput::features, create_cosine},
    {"cnn13", "small images: nine convolutions with batch norm and three linear layers (Kiryo et al., Su et al.)",
     NetworkInput::images, create_cnn13},
    {"resnet18", "images: ResNet-18 in torchvision's layout; small images get a --stem of their own",
     NetworkInput::images, create_resnet18},
    {"resnet50", "images: ResNet-50, the same", NetworkInput::images, create_resnet50},
    {"tresnet-m", "images: TResNet-M, a residual network for multi-label images (Ridnik et al.)", NetworkInput::images,
     create_tresnet},
    {"dreeam", "documents: a text encoder, localised context and a grouped bilinear layer (ATLOP, DREEAM)",
     NetworkInput::documents, create_dreeam},
}};

std::string shape_text(const at::Tensor& tensor) { return fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", ")); }

}  // namespace

std::span<const NetworkEntry> networks() { return kNetworks; }

const NetworkEntry& find_network(std::string_view name) { return kNetworks[index_of(name, kNetworks, "network")]; }

std::shared_ptr<Network> create_network(const nlohmann::json& architecture) {
  if (const auto count = architecture.value("members", std::size_t{1}); count > 1) {
    auto member = architecture;
    member.erase("members");
    std::vector<std::shared_ptr<Network>> members;
    while (members.size() < count) members.push_back(create_network(member));
    return create_committee(members);
  }
  return find_network(architecture.at("network").get<std::string>()).create(architecture);
}

std::int64_t Network::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& parameter : parameters()) count += parameter.numel();
  return count;
}

std::map<std::string, at::Tensor> named_tensors(const Network& network) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& item : network.named_parameters()) tensors.emplace(item.key(), item.value());
  for (const auto& item : network.named_buffers()) tensors.emplace(item.key(), item.value());
  return tensors;
}

void load_tensors(Network& network, const std::map<std::string, at::Tensor>& tensors, std::string_view source) {
  const auto own = named_tensors(network);
  std::string differences;
  for (const auto& [name, tensor] : own) {
    const auto it = tensors.find(name);
    if (it == tensors.end()) {
      differences += fmt::format("\n  {} is missing", name);
    } else if (it->second.sizes() != tensor.sizes()) {
      differences += fmt::format("\n  {} is {}, expected {}", name, shape_text(it->second), shape_text(tensor));
    }
  }
  for (const auto& [name, tensor] : tensors) {
    if (!own.contains(name))
      differences += fmt::format("\n  {} {} is not part of the network", name, shape_text(tensor));
  }
  if (!differences.empty()) throw Error(fmt::format("{}: the weights do not fit the network:{}", source, differences));
  const at::NoGradGuard no_grad;
  for (auto [name, tensor] : own) tensor.copy_(tensors.at(name));
}

}  // namespace mlpac
