#pragma once

#include "mlpac/feature_data.h"
#include "mlpac/options.h"

namespace mlpac::cli {

struct SyntheticPair {
  FeatureData train;
  FeatureData test;
};

/// Training and test data of the same world, as the options say.
SyntheticPair synthetic_pair(const Options& options);

}  // namespace mlpac::cli
