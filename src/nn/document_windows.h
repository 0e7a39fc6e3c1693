// Documents longer than an encoder has positions for: two overlapping windows of each, put together again (docre.md
// 3.1, as ATLOP does it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/encoder.h"

namespace mlpac {

/// What surrounds a sequence.
struct WindowTokens {
  std::int64_t longest = 512;  ///< tokens of a window
  std::int32_t start = 0;
  std::int32_t end = 0;
  std::int32_t ends = 1;  ///< end tokens that close a window that is not the last one: [SEP], or </s></s>
};

/// A document's tokens, with start and end, as one or two sequences.
std::vector<std::vector<std::int32_t>> windows_of(std::span<const std::int32_t> ids, const WindowTokens& tokens);

/// Where the windows of a batch come from.
struct WindowPlan {
  std::vector<std::int64_t> lengths;  ///< tokens of each document
  std::int64_t width = 0;             ///< tokens of the batch: of the longest document, or more
  std::int64_t longest = 512;
  std::int64_t ends = 1;
};

/// From windows [windows x ...] to documents [documents x width x ...]: where two windows overlap, hidden states are
/// averaged; attention is added and the rows of documents with two windows are brought to the sum 1 again.
Encoded merge_windows(const Encoded& windows, const WindowPlan& plan);

}  // namespace mlpac
