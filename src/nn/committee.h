// Several networks of one architecture whose logits are averaged: what one of them happened to learn from few rows is
// outvoted by the others.
#pragma once

#include "nn/network.h"

namespace mlpac {

std::shared_ptr<Network> create_committee(const std::vector<std::shared_ptr<Network>>& members);
/// Weights of a committee from those of its members, and back.
using WeightsByName = std::map<std::string, at::Tensor>;
WeightsByName committee_weights(std::span<const WeightsByName> members);
WeightsByName member_weights(const WeightsByName& committee, std::size_t member);

}  // namespace mlpac
