#include <array>

#include "core/names.h"
#include "losses/bce.h"
#include "losses/neg_weight.h"
#include "losses/pos_weight.h"

namespace mlpac {

namespace {

constexpr std::array<LossEntry, 3> kLosses{{
    {"bce", "binary cross entropy, unknown = negative", false, false, create_bce},
    {"pos-weight", "the same, positives weighted up", true, false, create_pos_weight, pos_weight_trials},
    {"neg-weight", "the same, unknown entries sub-sampled", true, true, create_neg_weight, neg_weight_trials},
}};

}  // namespace

std::span<const LossEntry> losses() { return kLosses; }
const LossEntry& find_loss(std::string_view name) { return kLosses[index_of(name, kLosses, "loss")]; }

}  // namespace mlpac
