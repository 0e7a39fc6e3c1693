// Hiding positives of completely labelled data, and splitting rows: how experiments make partially annotated data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mlpac/choice.h"
#include "mlpac/labels.h"

namespace mlpac {

/// Keeps exactly floor(ratio * N) of the N annotated positives, drawn uniformly over the whole matrix. Everything else
/// becomes unknown, known negatives included: the setting of the paper has none.
Labels hide_exact(const Labels& truth, double ratio, std::uint64_t seed);

/// Keeps exactly floor(ratio * n) of the n annotated positives of every class; the rest is as in hide_exact. A class
/// with fewer than 1 / ratio positives loses all of them.
Labels hide_class_ratio(const Labels& truth, double ratio, std::uint64_t seed);

/// Keeps every annotated positive independently with probability `ratio`; the rest is as in hide_exact.
Labels hide_each(const Labels& truth, double ratio, std::uint64_t seed);

/// The three ways above to keep a ratio of the positives. The same seed keeps more of the same positives when the ratio
/// grows.
enum class HideMode { exact, per_class, independent };

using HideEntry = NamedChoice;

/// Every mode, in the order of the enumeration, then hide_per_class as "fixed:N".
std::span<const HideEntry> hide_modes();
HideMode parse_hide_mode(std::string_view name);
Labels hide(const Labels& truth, HideMode mode, double ratio, std::uint64_t seed);

/// What --hide and --ratio say together: a mode with a ratio, or a number of labels of every class.
struct HidePlan {
  HideMode mode = HideMode::exact;
  std::optional<double> ratio = {};
  std::optional<std::int64_t> per_class = {};

  /// Whether anything is to be hidden.
  bool hides() const { return ratio.has_value() || per_class.has_value(); }
};
/// `how` is a mode, or fixed:N, which takes no ratio. Throws UsageError.
HidePlan parse_hide_plan(std::string_view how, std::optional<double> ratio);
Labels hide(const Labels& truth, const HidePlan& plan, std::uint64_t seed);

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

/// Whether a share of the rows holds enough annotations, hundreds of them, to tell models apart by.
bool slice_suffices(const Labels& annotated, double share);

/// `folds` splits whose validation parts are disjoint and cover all rows. Rows are dealt out in the order of the rarest
/// class they are annotated with, so that every fold has nearly the same share of every class.
std::vector<Split> split_folds(const Labels& annotated, std::int64_t folds, std::uint64_t seed);

/// The same sizes as split_items(rows), but every class has as nearly as possible the same fraction of its annotated
/// positives in both parts: iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011). Known negatives play no
/// role; rows without an annotated positive fill the parts up at random. A class with fewer than about
/// 1 / (2 * fraction) positives stays in the training part, where something can be learned from it; one of which
/// validation should have two or more has at least one there wherever exchanging two rows can bring it.
Split split_stratified(const Labels& annotated, double validation_fraction, std::uint64_t seed);

}  // namespace mlpac
