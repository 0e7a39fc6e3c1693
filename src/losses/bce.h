// Binary cross entropy with every unknown entry as negative (negative mode), and its parts.
#pragma once

#include <optional>

#include "mlpac/losses.h"
#include "mlpac/rewards.h"

namespace mlpac {

/// What a row costs in negative mode and its weighted forms.
enum class LossForm {
  cross_entropy,       ///< binary, of every class
  adaptive_threshold,  ///< of the classes against a threshold: losses/atl.h
};
/// What --base-loss says.
LossForm loss_form(const Options& options);

struct BceSpec {
  Reduction reduction = Reduction::mean;  ///< mean over rows of the sum over classes, or the plain sum
  LossForm form = LossForm::cross_entropy;
};
at::Tensor bce(const LossInput& input, const BceSpec& spec = {});
Loss create_bce(const LossContext& context);

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
