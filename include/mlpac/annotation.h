// Hiding positives of completely labelled data, and splitting rows: how experiments make partially annotated data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlpac/labels.h"

namespace mlpac {

/// Keeps exactly floor(ratio * N) of the N annotated positives, drawn uniformly over the whole matrix. Everything else
/// becomes unknown, known negatives included: the setting of the paper has none.
Labels hide_exact(const Labels& truth, double ratio, std::uint64_t seed);

/// Forgets each stored entry (positive or known negative) whose draw, given per entry as rows x classes, is below
/// `drop`: the "random per sample" simulation of the image code.
Labels hide_independent(const Labels& truth, std::span<const double> draws, double drop);

/// Keeps min(count, available) positives and as many known negatives of every class, drawn uniformly: the "fixed per
/// class" simulation of the image code.
Labels hide_per_class(const Labels& truth, std::int64_t count, std::uint64_t seed);

/// A random part of `items` items: floor(fraction * items) of them, in increasing order, and the rest.
struct Split {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> validation;
};
Split split_items(std::int64_t items, double validation_fraction, std::uint64_t seed);

}  // namespace mlpac
