#include <array>

#include "core/names.h"
#include "priors/priors.h"

namespace mlpac {

namespace {

constexpr std::array<PriorEntry, 3> kEstimators{{
    {"best-bin", "held-out scores: rows over annotations above the best threshold", "Garg et al. 2021 (BBE)", true,
     best_bin},
    {"elkan-noto", "held-out scores: mean probability of annotated rows", "Elkan & Noto 2008 (e1)", true, elkan_noto},
    {"tice", "decision trees: part of the data with the highest annotated share", "Bekker & Davis 2018", false, tice},
}};

}  // namespace

std::span<const PriorEntry> prior_estimators() { return kEstimators; }
const PriorEntry& find_prior_estimator(std::string_view name) {
  return kEstimators[index_of(name, kEstimators, "prior estimator")];
}

}  // namespace mlpac
