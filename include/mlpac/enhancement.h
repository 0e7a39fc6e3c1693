// Label enhancement: which unknown entries the critic may treat as positive in the next epoch.
#pragma once

#include <ATen/core/Tensor.h>

#include "mlpac/decision.h"

namespace mlpac {

struct EnhancementSpec {
  double gamma_policy = 0.95;  ///< the policy's probability must exceed this
  double gamma_critic = 0.5;   ///< the critic's probability must exceed this
};

/// Boolean [rows x classes]: pi_c > gamma_policy and p_V^c > gamma_critic, and both networks decide TRUE (for
/// independent classes the last part says nothing new). The critic's target is the union with the annotations.
at::Tensor enhance(const at::Tensor& policy_logits, const at::Tensor& critic_logits, const Decision& decision,
                   const EnhancementSpec& spec);

}  // namespace mlpac
