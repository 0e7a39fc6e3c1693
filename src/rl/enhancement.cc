#include "mlpac/enhancement.h"

#include "nn/torch.h"

namespace mlpac {

at::Tensor enhance(const at::Tensor& policy_logits, const at::Tensor& critic_logits, const Decision& decision,
                   const EnhancementSpec& spec) {
  const auto sure = at::sigmoid(decision.log_odds(policy_logits)) > spec.gamma_policy;
  const auto supported = at::sigmoid(decision.log_odds(critic_logits)) > spec.gamma_critic;
  return sure & supported & decision.decide(policy_logits) & decision.decide(critic_logits);
}

}  // namespace mlpac
