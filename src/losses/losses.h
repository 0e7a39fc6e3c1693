// One function per loss file; the table in table.cc is the only place that lists them.
#pragma once

#include <optional>

#include "mlpac/losses.h"

namespace mlpac {

/// Binary cross entropy with every unknown entry as negative (negative mode).
at::Tensor bce(const LossInput& input, const LossSpec& spec);
/// The same with the positive terms multiplied by a weight.
at::Tensor pos_weight(const LossInput& input, const LossSpec& spec);
/// The same with only some of the unknown entries.
at::Tensor neg_weight(const LossInput& input, const LossSpec& spec);

/// Cross entropy of positives and of everything else, [rows x classes] each.
struct BceTerms {
  at::Tensor positive;
  at::Tensor negative;
};
BceTerms bce_terms(const LossInput& input);
/// Weighted cross entropy as one loop; nothing if the tensors are not float32 on the CPU.
std::optional<at::Tensor> fused_bce(const LossInput& input, double positive_weight, Reduction reduction);
at::Tensor reduce(const at::Tensor& terms, Reduction reduction);

}  // namespace mlpac
