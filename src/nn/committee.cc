#include "nn/committee.h"

#include <fmt/format.h>

#include "core/random.h"

namespace mlpac {

namespace {

std::string member_name(std::size_t member) { return fmt::format("member{}", member); }

class Committee : public Network {
 public:
  explicit Committee(const std::vector<std::shared_ptr<Network>>& members) : members_(members) {
    for (std::size_t i = 0; i < members_.size(); ++i) register_module(member_name(i), members_[i]);
  }

  at::Tensor forward(const Batch& batch) override {
    at::Tensor sum;
    for (const auto& member : members_) {
      const auto logits = member->forward(batch);
      sum = sum.defined() ? sum + logits : logits;
    }
    return sum / static_cast<double>(members_.size());
  }

  void initialise(std::uint64_t seed) override {
    for (std::size_t i = 0; i < members_.size(); ++i) members_[i]->initialise(stream_key(seed, member_name(i)));
  }

  std::string last_layer() const override { return member_name(0) + '.' + members_.front()->last_layer(); }

 private:
  std::vector<std::shared_ptr<Network>> members_;
};

}  // namespace

std::shared_ptr<Network> create_committee(const std::vector<std::shared_ptr<Network>>& members) {
  return std::make_shared<Committee>(members);
}

std::shared_ptr<Network> one_network(const std::vector<std::shared_ptr<Network>>& members) {
  return members.size() == 1 ? members.front() : create_committee(members);
}

WeightsByName committee_weights(std::span<const WeightsByName> members) {
  WeightsByName result;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const auto& [name, tensor] : members[i]) result[member_name(i) + '.' + name] = tensor;
  }
  return result;
}

WeightsByName member_weights(const WeightsByName& committee, std::size_t member) {
  const auto prefix = member_name(member) + '.';
  WeightsByName result;
  for (const auto& [name, tensor] : committee) {
    if (name.starts_with(prefix)) result[name.substr(prefix.size())] = tensor;
  }
  return result;
}

nlohmann::json with_members_of(nlohmann::json architecture, const WeightsByName& weights) {
  std::size_t members = 0;
  while (!member_weights(weights, members).empty()) ++members;
  architecture.erase("members");
  if (members > 0) architecture["members"] = members;
  return architecture;
}

}  // namespace mlpac
