// ARFF, the format of Weka and Mulan: entry points for the table of readers, tests and fuzzing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads a text in memory; `source` is its name in messages.
FeatureData parse_arff(std::string_view text, std::string source, const ReadOptions& options);

FeatureData read_arff(const std::filesystem::path& path, const ReadOptions& options);

/// True if the first line that is neither blank nor a comment is a declaration of ARFF.
bool looks_like_arff(std::string_view head);

}  // namespace mlpac
