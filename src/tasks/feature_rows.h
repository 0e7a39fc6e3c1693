// Rows of numbers as a data set: dense in memory while that is small, made dense batch by batch, or sparse all the way.
#pragma once

#include <memory>

#include "data/normalise.h"
#include "train/problem.h"

namespace mlpac {

/// True if the first layer should work on stored values only: many columns, nearly all of them 0 in a row.
bool worth_sparse(const FeatureMatrix& features);

/// `sparse`: batches hold SparseRows, for a network whose architecture says so.
std::shared_ptr<const Dataset> feature_rows(FeatureMatrix features, const Normaliser& normaliser, bool sparse);

}  // namespace mlpac
