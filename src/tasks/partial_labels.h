// What training may see of the labels, and which rows it sets aside: the same for every kind of data.
#pragma once

#include <string>

#include "mlpac/options.h"
#include "train/problem.h"

namespace mlpac {

/// Sets annotated, truth and folds of a problem from the labels of its training rows: all of them or, with --ratio, a
/// part that counts as annotated. `source` is the data's name in messages. Error if nothing is annotated.
void hide_labels(Problem& problem, const Options& options, Labels labels, const std::string& source);

}  // namespace mlpac
