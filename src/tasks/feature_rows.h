// Rows of numbers as a data set: dense in memory while that is small, otherwise made dense ahead of their batch, or
// sparse all the way.
#pragma once

#include <memory>

#include "data/normalise.h"
#include "train/problem.h"

namespace mlpac {

/// True if the first layer should work on stored values only: many columns, nearly all of them 0 in a row.
bool worth_sparse(const FeatureView& features);

/// `sparse`: batches hold SparseRows, for a network whose architecture says so. `memory`: bytes that rows may take as
/// dense numbers; more are read and scaled whenever they are used.
std::shared_ptr<const Dataset> feature_rows(FeatureView features, const Normaliser& normaliser, bool sparse,
                                            std::int64_t memory = std::int64_t{1} << 30);

}  // namespace mlpac
