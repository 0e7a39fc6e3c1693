// What training may see of the labels, and which rows it sets aside: the same for every kind of data.
#pragma once

#include <span>
#include <string>

#include "data/feature_view.h"
#include "mlpac/options.h"
#include "review/decisions.h"
#include "train/problem.h"

namespace mlpac {

/// Sets annotated, truth, folds and refit of a problem from the labels of its training rows: all of them or, with
/// --ratio, a part that counts as annotated; and what --decisions say about rows of these names. `source` is the data's
/// name in messages. Error if nothing is annotated.
void hide_labels(Problem& problem, const Options& options, Labels labels, const RowNames& names,
                 const std::string& source);

/// What --decisions say becomes part of the annotations, and of the problem's fingerprint.
void use_decisions(Problem& problem, const Options& options, const RowNames& names);

/// Sets folds and refit as --validation, --folds and --split say; `items`: the annotations of every training item.
void set_folds(Problem& problem, const Options& options, const Labels& items);

/// The items of the last training: what class priors and counts refer to.
std::vector<std::int64_t> last_trained_items(const Problem& problem);

/// Sets the prior that --prior asks for; without a data set every item is one label row. `features`: null if there are
/// none to estimate from.
void set_prior(Problem& problem, const Options& options, std::span<const std::string> label_names,
               const FeatureView* features);

}  // namespace mlpac
