// Regularised online label estimation of the single-positive code. Its encoding of labels is ours.
#include "golden_case.h"
#include "losses/role.h"
#include "nn/torch.h"

namespace mlpac::golden {

void single_positive_role(GoldenCase& test) {
  const auto z = test.input_float("logits").clone().requires_grad_();
  const auto estimated = test.input_float("estimator_logits").clone().requires_grad_();
  const auto result = role(z, estimated, test.input_float("labels_observed"),
                           {.expected = test.params().at("expected_num_pos").get<double>()});
  result.loss.backward();
  test.expect("loss", result.loss);
  test.expect("reg_loss", result.penalty);
  test.expect("grad_logits", z.grad());
  test.expect("grad_estimator_logits", estimated.grad());
}

void role_estimator(GoldenCase& test) {
  const auto logits = test.has_input("draw")
                          ? role_initial_logits(test.input_float("draw"), test.input_float("labels_observed"))
                          : role_logits(test.input_float("estimated_labels"));
  test.expect("estimator_logits", logits);
  test.expect("estimated_labels", at::sigmoid(logits));
}

}  // namespace mlpac::golden
