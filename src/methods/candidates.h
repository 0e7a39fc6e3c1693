// Candidates trained side by side, ordered by a weight: who leads, and who need not be trained any further.
#pragma once

#include <span>
#include <vector>

#include "methods/method.h"

namespace mlpac {

/// Position of the best score; the first of equals.
std::size_t leader(std::span<const double> scores);

/// Candidates to give up after this epoch: those far from the leader. Scores fall off to both sides of the best weight,
/// and after a few epochs its neighbourhood is known (docs/how-mlpac-works.md): after a sixth of the epochs those
/// within `reach` places of the leader stay, after half of them those within one place less. Nobody is given up while
/// every score is 0.
std::vector<std::size_t> hopeless(std::span<const double> scores, const Clock& clock, std::int64_t reach);

/// --reach, or what is usual: 2. For w it is 1 where folds are compared: every candidate is trained in each of them,
/// and among weights that have been pre-trained alike the leader of a sixth of the epochs is the best or next to it.
std::int64_t reach_of_weights(const Options& options);
std::int64_t reach_of_w(const MethodContext& context);

/// Annotated positives per training row.
double mean_positives(const MethodContext& context);

}  // namespace mlpac
