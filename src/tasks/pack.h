// What packing data of any task needs: the store or run that --like names.
#pragma once

#include <nlohmann/json.hpp>

#include "mlpac/options.h"

namespace mlpac {

/// The labels ("labels") and how data was read ("schema", "relations") of the run or store that --like names; null if
/// there is none.
nlohmann::json pattern_of(const Options& options);

}  // namespace mlpac
