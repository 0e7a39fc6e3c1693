// How the logits of a network become log-odds z and TRUE/FALSE per class: the only place where relation extraction
// differs from images and feature data for rewards, estimators, enhancement, thresholds and metrics.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace mlpac {

/// The classes of each row with the largest logits, best first, and how far they are above the threshold class.
struct TopClasses {
  at::Tensor scores;   ///< [rows x count]
  at::Tensor classes;  ///< [rows x count] columns of the logits: 0 is the threshold class
};

struct Decision {
  /// Logit 0 is a threshold ("none") class: z_c = l_c - l_0 for the others. Otherwise z = logits.
  bool threshold_class = false;
  /// With a threshold class: only classes whose logit is among this many largest of all logits can be TRUE; 0: no cap.
  std::int64_t cap = 0;

  /// Log-odds [rows x classes].
  at::Tensor log_odds(const at::Tensor& logits) const;
  /// Boolean decisions [rows x classes]; `shift` is subtracted from the log-odds first (per-class thresholds).
  at::Tensor decide(const at::Tensor& logits, const at::Tensor& shift = {}) const;
};

/// Of logits with a threshold class in column 0, as DREEAM scores candidates for fusion: the difference to its logit
/// or, where it is not among the best, to one less than the last of them.
TopClasses top_classes(const at::Tensor& logits, std::int64_t count);

}  // namespace mlpac
