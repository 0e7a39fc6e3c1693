#include <array>

#include "core/names.h"
#include "losses/asl.h"
#include "losses/assume_negative.h"
#include "losses/bce.h"
#include "losses/csl.h"
#include "losses/epr.h"
#include "losses/neg_weight.h"
#include "losses/nnpu.h"
#include "losses/p_asl.h"
#include "losses/pairwise.h"
#include "losses/pos_weight.h"
#include "losses/ssr_pu.h"

namespace mlpac {

namespace {

constexpr bool kSums = true;
constexpr bool kDraws = true;
constexpr bool kPrior = true;
constexpr bool kSeparate = true;

constexpr std::array kLosses{
    LossEntry{"bce", "binary cross entropy, unknown = negative", !kSums, !kDraws, !kPrior, !kSeparate, create_bce},
    LossEntry{"pos-weight", "the same, positives weighted up", kSums, !kDraws, !kPrior, !kSeparate, create_pos_weight,
              pos_weight_trials},
    LossEntry{"neg-weight", "the same, unknown entries sub-sampled", kSums, kDraws, !kPrior, !kSeparate,
              create_neg_weight, neg_weight_trials},
    LossEntry{"an-ls", "the same with smoothed labels", !kSums, !kDraws, !kPrior, !kSeparate, create_an_ls},
    LossEntry{"wan", "the same, unknown entries with a small weight", !kSums, !kDraws, !kPrior, !kSeparate, create_wan},
    LossEntry{"asl", "asymmetric loss: easy entries count less", !kSums, !kDraws, !kPrior, !kSeparate, create_asl},
    LossEntry{"p-asl", "asymmetric loss with an exponent for unknown entries", !kSums, !kDraws, !kPrior, !kSeparate,
              create_p_asl},
    LossEntry{"csl", "p-asl without unknown entries that are probably positive", !kSums, !kDraws, kPrior, !kSeparate,
              create_csl},
    LossEntry{"epr", "annotated positives, and an expected number of positives per row", !kSums, !kDraws, kPrior,
              !kSeparate, create_epr},
    LossEntry{"pairwise", "annotated classes above the unknown ones of their row", !kSums, !kDraws, !kPrior, !kSeparate,
              create_pairwise},
    LossEntry{"upu", "unbiased risk from positive and unlabelled entries", !kSums, !kDraws, kPrior, kSeparate,
              create_upu},
    LossEntry{"nnpu", "the same, kept from falling below zero", !kSums, !kDraws, kPrior, kSeparate, create_nnpu},
    LossEntry{"imbalanced-nnpu", "the same, re-balanced to a target prior", !kSums, !kDraws, kPrior, kSeparate,
              create_imbalanced_nnpu},
    LossEntry{"ssr-pu", "squared PU risk that knows how many positives annotation left out", !kSums, !kDraws, kPrior,
              kSeparate, create_ssr_pu},
};

}  // namespace

std::span<const LossEntry> losses() { return kLosses; }
const LossEntry& find_loss(std::string_view name) { return kLosses[index_of(name, kLosses, "loss")]; }

}  // namespace mlpac
