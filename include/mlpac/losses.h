// Losses on log-odds and annotations: what one is given, and the table. Each loss is a file in src/losses that owns its
// parameters and its formula, a pure function; state lives in methods.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlpac/options.h"

namespace mlpac {

/// Sums over the whole batch that a loss may need. They are taken outside the loss, so that a batch spread over several
/// processes can add them up first.
struct BatchSums {
  at::Tensor positives;      ///< entries annotated positive
  at::Tensor others;         ///< all other entries
  at::Tensor positive_rows;  ///< rows with an annotated positive
  at::Tensor other_rows;     ///< all other rows
};
BatchSums batch_sums(const at::Tensor& y);

struct LossInput {
  at::Tensor z;      ///< log-odds [rows x classes]
  at::Tensor y;      ///< label states +1, 0, -1 [rows x classes], same type as z
  BatchSums sums;    ///< only if the loss declares it
  at::Tensor draws;  ///< uniform [rows x classes], only if the loss declares it
  /// The first so many rows were drawn from those with an annotation, the others from all rows; 0: all from all rows.
  std::int64_t drawn_positives = 0;
};

/// A loss with its parameters: what a network minimises on a batch.
using Loss = std::function<at::Tensor(const LossInput&)>;

/// What a loss is made from.
struct LossContext {
  const Options& options;
  std::int64_t rows = 0;                      ///< label rows that are trained on
  std::span<const std::int64_t> positives{};  ///< of each class, annotated among them
  std::span<const std::int64_t> negatives{};  ///< of each class, known negative among them
  std::span<const double> prior{};            ///< share of positives among all entries of each class, if declared

  std::int64_t classes() const { return static_cast<std::int64_t>(positives.size()); }
  /// Share of a class's training entries that is annotated positive.
  double annotated_share(std::size_t c) const;
  /// Share of the training entries that is annotated positive.
  double annotated_rate() const;
};

/// A loss with one of several weights that can be compared, and the options that name this one.
struct LossTrial {
  Loss loss;
  double weight = 0;
  std::vector<std::pair<std::string, std::string>> settings;
};

struct LossEntry {
  std::string_view name;
  std::string_view summary;
  bool needs_sums;
  bool needs_draws;
  bool needs_prior;
  bool separate;  ///< positives may be drawn separately (--composition)
  /// The loss as the options say; UsageError for a value that makes no sense.
  Loss (*create)(const LossContext& context);
  /// The same with several weights: positives count `factors` times as much, relative to unknown entries, as the rule
  /// of the options says. Null if there is no weight to choose.
  std::vector<LossTrial> (*trials)(const LossContext& context, std::span<const double> factors) = nullptr;
};

std::span<const LossEntry> losses();
const LossEntry& find_loss(std::string_view name);

}  // namespace mlpac
