// --prior: how many entries of each class are taken to be positive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlpac/labels.h"
#include "mlpac/options.h"

namespace mlpac {

/// Share of positives among the entries of each class in the given rows. `truth`: complete labels, null if not known.
std::vector<double> class_prior(const Options& options, const Labels& annotated, const Labels* truth,
                                std::span<const std::int64_t> rows);

}  // namespace mlpac
