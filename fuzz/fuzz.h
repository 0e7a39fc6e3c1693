// What every fuzz target checks: input is parsed into something consistent, or refused with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {

inline void require(bool condition) {
  if (!condition) std::abort();
}

/// What a reader accepts must fit together.
inline void check(const FeatureData& data) {
  const FeatureMatrix& features = data.features;
  require(features.rows() == data.labels.rows());
  require(features.indices.size() == features.values.size());
  require(features.offsets.back() == static_cast<std::int64_t>(features.indices.size()));
  require(data.feature_names.empty() || data.feature_names.size() == static_cast<std::size_t>(features.columns));
  require(data.label_names.size() == static_cast<std::size_t>(data.labels.classes()));
  require(data.ids.empty() || data.ids.size() == static_cast<std::size_t>(features.rows()));
  for (std::size_t row = 0; row + 1 < features.offsets.size(); ++row) {
    require(features.offsets[row] <= features.offsets[row + 1]);
    for (auto i = features.offsets[row]; i < features.offsets[row + 1]; ++i) {
      const auto column = features.indices[static_cast<std::size_t>(i)];
      require(column >= 0 && column < features.columns);
      require(i == features.offsets[row] || features.indices[static_cast<std::size_t>(i - 1)] < column);
    }
  }
}

template <typename Read>
int parsed_or_refused(const unsigned char* bytes, std::size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(bytes), size));
  } catch (const Error& error) {
    require(std::string_view(error.what()).substr(0, 4) == "fuzz");  // every message says where
  }
  return 0;
}

}  // namespace mlpac
