// Several networks of one architecture whose logits are averaged: what one of them happened to learn from few rows is
// outvoted by the others.
#pragma once

#include "nn/network.h"

namespace mlpac {

std::shared_ptr<Network> create_committee(const std::vector<std::shared_ptr<Network>>& members);
/// The same, but one network stays itself.
std::shared_ptr<Network> one_network(const std::vector<std::shared_ptr<Network>>& members);
/// Weights of a committee from those of its members, and back.
using WeightsByName = std::map<std::string, at::Tensor>;
WeightsByName committee_weights(std::span<const WeightsByName> members);
WeightsByName member_weights(const WeightsByName& committee, std::size_t member);
/// An architecture with as many members as the weights are of: a committee of policies may be larger than its critics'.
nlohmann::json with_members_of(nlohmann::json architecture, const WeightsByName& weights);

}  // namespace mlpac
