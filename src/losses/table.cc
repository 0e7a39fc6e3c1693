#include <array>

#include "core/names.h"
#include "losses/losses.h"

namespace mlpac {

namespace {

constexpr std::array<LossEntry, 3> kLosses{{
    {"bce", "binary cross entropy, unknown = negative", false, false, bce},
    {"pos-weight", "the same, positives weighted up", true, false, pos_weight},
    {"neg-weight", "the same, unknown entries sub-sampled", true, true, neg_weight},
}};

}  // namespace

std::span<const LossEntry> losses() { return kLosses; }
const LossEntry& find_loss(std::string_view name) { return kLosses[index_of(name, kLosses, "loss")]; }

}  // namespace mlpac
