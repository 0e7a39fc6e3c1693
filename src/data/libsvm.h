// Multi-label libsvm: `label,label index:value index:value # comment`, with or without the header of the Extreme
// Classification Repository (XMLRepo).
//
// Without the header a feature is the column of its index as it is written: a file that counts from 1 has an empty
// column 0, and training and test file agree whatever indices they contain. Labels are the numbers or names that
// occur. The header `rows features labels` fixes all three numbers; indices and labels then count from 0.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads a text in memory; `source` is its name in messages.
FeatureData parse_libsvm(std::string_view text, std::string source, const ReadOptions& options);

FeatureData read_libsvm(const std::filesystem::path& path, const ReadOptions& options);

/// True if all rows in the first bytes of a file are labels and index:value pairs. The last line may be cut.
bool looks_like_libsvm(std::string_view head);

/// Writes the data, with the header of XMLRepo if asked for. Labels are written as their names if these are whole
/// numbers, otherwise as their positions from 0; names of features are not kept. Read back with the same label names,
/// it is the same data.
void write_libsvm(const FeatureData& data, const std::filesystem::path& path, bool header);

/// The file with the labels of `data` (read from it with these options) instead of its own.
std::string relabel_libsvm(const std::filesystem::path& path, const ReadOptions& options, const FeatureData& data);

}  // namespace mlpac
