// Labelled text as fastText reads it: one row per line, its labels in front.
//
//     __label__sports __label__!politics The match ended in a draw.
//
// - `__label__NAME` marks a positive label, `__label__!NAME` a known negative; names are separated from the text and
//   from each other by blanks, so they cannot contain any. Further on in the line, `__label__` is text.
// - A line without labels is a row without annotation; lines with nothing but blanks are skipped.
// - When a model is applied, the same file without labels (one text per line) is read the same way.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/feature_data.h"

namespace mlpac {

/// Reads a text in memory; `source` is its name in messages.
FeatureData parse_labelled_text(std::string_view text, std::string source, const ReadOptions& options);

FeatureData read_labelled_text(const std::filesystem::path& path, const ReadOptions& options);

/// True if one of the lines begins with a label. Unannotated rows may come first, so all of the head is looked at.
bool looks_like_labelled_text(std::string_view head);

/// The text with the labels of `data`, which was read from it, instead of its own; texts, skipped lines and line ends
/// stay. A row that is left without text and labels is written as `-`, so that it remains a row.
std::string relabel_text(std::string_view text, std::string source, const FeatureData& data);

/// The same for a file: see ReaderEntry::relabel.
std::string relabel_labelled_text(const std::filesystem::path& path, const ReadOptions& options,
                                  const FeatureData& data);

}  // namespace mlpac
