// Supervised losses: pure functions of logits, label states and a small parameter struct. State lives in methods.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "mlpac/rewards.h"

namespace mlpac {

/// Sums over the whole batch that a loss may need. They are taken outside the loss, so that a batch spread over several
/// processes can add them up first.
struct BatchSums {
  at::Tensor positives;  ///< entries annotated positive
  at::Tensor others;     ///< all other entries
};
BatchSums batch_sums(const at::Tensor& y);

/// How strongly positives count in `pos-weight`.
enum class PositiveWeight {
  ratio,  ///< others / positives of the batch: the paper
  share,  ///< all entries / positives of the batch: the official image code
  fixed,  ///< a given number
};

/// Which unknown entries `neg-weight` keeps.
enum class NegativeSampling {
  multiple,  ///< as many as `negatives` times the positives of the batch: the paper
  rate,      ///< each with probability `negatives`, if the batch has more than 10 times as many entries as positives:
             ///< the official image code
  every,     ///< each with probability `negatives` (official DocRE critic)
};

struct LossSpec {
  PositiveWeight positive_weight = PositiveWeight::ratio;
  double weight = 1;      ///< for PositiveWeight::fixed
  double weight_cap = 0;  ///< largest positive weight; 0: none
  NegativeSampling sampling = NegativeSampling::multiple;
  double negatives = 10;
  Reduction reduction = Reduction::mean;  ///< mean over rows of the sum over classes, or the plain sum
};

struct LossInput {
  at::Tensor z;      ///< log-odds [rows x classes]
  at::Tensor y;      ///< label states +1, 0, -1 [rows x classes], same type as z
  BatchSums sums;    ///< only if the loss declares it
  at::Tensor draws;  ///< uniform [rows x classes], only if the loss declares it
};

struct LossEntry {
  std::string_view name;
  std::string_view summary;
  bool needs_sums;
  bool needs_draws;
  at::Tensor (*loss)(const LossInput& input, const LossSpec& spec);
};

std::span<const LossEntry> losses();
const LossEntry& find_loss(std::string_view name);

}  // namespace mlpac
