// What a run will probably need, from those that were made.
#pragma once

#include <optional>
#include <vector>

#include "experiment/plan.h"

namespace mlpac {

/// About how many seconds, from the records that are most like it; 1 without any.
double expected_seconds(const std::vector<const Json*>& records, const Json& values);

/// MB of a GPU at most: as much as runs of the same recipe and method took, or of the same method; for a method that
/// was not made yet as much as the largest of the others and four times the smallest. Nothing without any.
std::optional<double> expected_gpu_memory(const std::vector<const Json*>& records, const Json& values);

}  // namespace mlpac
