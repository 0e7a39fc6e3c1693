// NumPy arrays as feature data: .npy and .npz files, dense or in the parts of SciPy's sparse matrices.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/npy_header.h"  // looks_like_npy
#include "data/npz.h"         // looks_like_npz
#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads the bytes of a .npy or .npz file; `source` is its name in messages.
FeatureData parse_arrays(std::string_view bytes, std::string source, const ReadOptions& options);

FeatureData read_arrays(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace mlpac
