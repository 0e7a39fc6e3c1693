// Baseline losses of the official codes, values and gradients.
#include "golden_case.h"
#include "losses/asl.h"
#include "losses/assume_negative.h"
#include "losses/csl.h"
#include "losses/epr.h"
#include "losses/pairwise.h"
#include "losses/role.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// 1 positive, 0 known negative, -1 un-annotated: our +1, -1, 0.
at::Tensor partial_states(const at::Tensor& targets) {
  const auto theirs = targets.to(at::kInt);
  return (theirs.eq(1).to(at::kFloat) - theirs.eq(0).to(at::kFloat));
}

LossInput input_of(const at::Tensor& logits, const at::Tensor& y) {
  return {logits.clone().requires_grad_(), y, {}, {}};
}

void expect_loss(GoldenCase& test, const at::Tensor& loss, const LossInput& input) {
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_logits", input.z.grad());
}

}  // namespace

void asymmetric_loss(GoldenCase& test) {
  const auto& params = test.params();
  const AslSpec spec{.gamma_positive = params.at("gamma_pos"),
                     .gamma_negative = params.at("gamma_neg"),
                     .clip = params.at("clip"),
                     .focus_gradient = !params.at("disable_torch_grad_focal_loss").get<bool>(),
                     .floor = 1e-8,
                     .reduction = Reduction::sum};
  const auto input = input_of(test.input_float("logits"), test.input_float("targets"));
  expect_loss(test, asl(input, spec), input);
}

void partial_asymmetric_loss(GoldenCase& test) {
  const auto& params = test.params();
  CslSpec spec;
  spec.asl = {.gamma_positive = params.at("gamma_pos"),
              .gamma_negative = params.at("gamma_neg"),
              .gamma_unknown = params.at("gamma_unann"),
              .alpha_positive = params.at("alpha_pos"),
              .alpha_negative = params.at("alpha_neg"),
              .alpha_unknown = params.at("alpha_unann"),
              .clip = params.at("clip"),
              .floor = 1e-8,
              .reduction = Reduction::sum};
  const std::string mode = params.at("partial_loss_mode");
  if (mode == "ignore") spec.asl.mode = PartialMode::ignore;
  if (mode == "ignore_normalize_classes") spec.asl.mode = PartialMode::ignore_normalised;
  const auto input = input_of(test.input_float("logits"), partial_states(test.input("targets")));
  if (mode != "selective") return expect_loss(test, p_asl(input, spec.asl), input);
  spec.top = params.at("likelihood_topk");
  if (test.has_input("class_prior")) {
    spec.prior = test.input_float("class_prior");
    spec.prior_threshold = params.at("prior_threshold");
  }
  // What is left out has no gradient, whatever else the loss does with it.
  const auto chosen = selected(input, spec);
  test.require(((test.output("grad_logits") != 0) & chosen.logical_not()).sum().item<double>() == 0,
               "an entry with a gradient was left out");
  expect_loss(test, csl(input, spec), input);
}

void running_class_prior(GoldenCase& test) {
  const auto logits = test.input_float("logits");
  RunningPrior prior(logits.size(1));
  prior.add(at::sigmoid(logits.slice(0, 0, 3)));
  prior.add(at::sigmoid(logits.slice(0, 3)));
  test.expect("prior", prior.mean());
}

void single_positive_loss(GoldenCase& test) {
  const std::string name = test.id().substr(std::string("spml_").size());
  // Theirs are means over all entries; the encoding is ours.
  auto y = test.input_float("labels_observed");
  const auto entries = static_cast<double>(y.numel());
  const EprSpec expected{.expected = test.params().at("expected_num_pos")};
  if (name == "role") {
    const auto z = test.input_float("logits").clone().requires_grad_();
    const auto estimated = test.input_float("estimator_logits").clone().requires_grad_();
    const auto result = role(z, estimated, y, expected);
    result.loss.backward();
    test.expect("loss", result.loss);
    test.expect("reg_loss", result.penalty);
    test.expect("grad_logits", z.grad());
    test.expect("grad_estimator_logits", estimated.grad());
    return;
  }
  AssumeNegativeSpec spec{.reduction = Reduction::sum};
  if (name == "an_ls") spec.smoothing = test.params().at("ls_coef");
  if (name == "wan") spec.unknown_weight = 1 / (test.params().at("num_classes").get<double>() - 1);
  if (name == "iu" || name == "iun") spec.unknown_weight = 0;
  if (name == "iun") y = at::where(test.input_float("labels_true") > 0, y, at::full_like(y, -1));
  const auto input = input_of(test.input_float("logits"), y);
  at::Tensor loss;
  if (name == "epr") {
    loss = epr(input, expected);
    test.expect("reg_loss", expected_positives_penalty(input.z, expected.expected));
  } else {
    loss = (name == "pr" ? pairwise(input, {.reduction = Reduction::sum}) : assume_negative(input, spec)) / entries;
    test.expect("reg_loss", 0.0);
  }
  expect_loss(test, loss, input);
}

void label_estimator_init(GoldenCase& test) {
  const auto logits = role_initial_logits(test.input_float("draw"), test.input_float("labels_observed"));
  test.expect("estimator_logits", logits);
  test.expect("estimated_labels", at::sigmoid(logits));
}

void label_estimator_resume(GoldenCase& test) {
  test.expect("estimator_logits", role_logits(test.input_float("estimated_labels")));
}

}  // namespace mlpac::golden
