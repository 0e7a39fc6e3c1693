// Risks from positive and unlabelled data of the official codes: what is reported, what is minimised, its gradient.
#include "golden_case.h"
#include "losses/nnpu.h"
#include "losses/ssr_pu.h"
#include "mlpac/decision.h"
#include "mlpac/metrics.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

at::Tensor one_prior(const GoldenCase& test) {
  return at::full({1}, test.params().at("prior").get<double>(), at::device(test.device()).dtype(at::kDouble));
}

}  // namespace

void non_negative_pu(GoldenCase& test) {
  const auto& params = test.params();
  NnPuSpec spec;
  spec.prior = one_prior(test);
  spec.surrogate = params.at("surrogate") == "logistic" ? Surrogate::logistic : Surrogate::sigmoid;
  spec.non_negative = params.at("nnpu");
  spec.beta = params.at("beta");
  spec.gamma = params.at("gamma");
  const auto z = test.input_float("score").clone().requires_grad_();
  const auto y = (test.input("label") > 0).to(at::kFloat).unsqueeze(1);  // theirs: 1 positive, -1 unlabelled
  const auto loss = nnpu({z, y, {}, {}}, spec);
  loss.backward();
  test.expect("reported_loss", loss);
  test.expect("grad_score", z.grad());
  const auto risk = nnpu_parts({z, y, {}, {}}, spec).risk;
  test.expect("upu_value", (risk.positive + risk.negative).squeeze());
}

void imbalanced_pu(GoldenCase& test) {
  NnPuSpec spec;
  spec.prior = one_prior(test);
  spec.target = test.params().at("prior_prime");
  const auto p = test.input_float("score_p").clone().requires_grad_();
  const auto u = test.input_float("score_u").clone().requires_grad_();
  const auto y = at::cat({at::ones_like(p), at::zeros_like(u)}).detach();
  const LossInput input{at::cat({p, u}), y, {}, {}, p.size(0)};
  const auto parts = nnpu_parts(input, spec);
  parts.minimised.sum().backward();
  test.expect("minimised", parts.minimised.squeeze());
  test.expect("L_negative_part", parts.risk.negative.squeeze());
  test.expect("L_total", (parts.risk.positive + parts.risk.negative).squeeze());
  test.expect("grad_p", p.grad());
  test.expect("grad_u", u.grad());
  // Their metrics take the unlabelled group for negatives.
  const auto scores = input.z.detach().cpu().contiguous();
  const auto decisions = (scores > 0).to(at::kByte).contiguous();
  const auto states = (2 * y - 1).to(at::kCPU, at::kChar).contiguous();
  const auto size = static_cast<std::size_t>(scores.numel());
  const auto metrics = evaluate({{scores.data_ptr<float>(), size}, scores.size(0), 1},
                                {{decisions.data_ptr<std::uint8_t>(), size}, scores.size(0), 1},
                                {{states.data_ptr<std::int8_t>(), size}, scores.size(0), 1});
  test.expect("precision", metrics.precision / 100);
  test.expect("recall", metrics.recall / 100);
  test.expect("f1", metrics.f1 / 100);
  for (const char* name : {"train01", "test01", "auc"}) test.exclude(name, "not one of this program's metrics");
}

void shifted_ranking_pu(GoldenCase& test) {
  if (!test.has_input("logits"))
    return test.exclude("priors_labelled", "counted in documents, which are not read here");
  const auto& params = test.params();
  SsrPuSpec spec;
  spec.annotated = test.input("priors_labelled").to(at::kDouble);
  spec.prior = params.at("e").get<double>() * spec.annotated;
  const std::string risk = params.at("m_tag");
  spec.risk = risk == "PN" ? SsrRisk::pn : risk == "PU" ? SsrRisk::pu : SsrRisk::s_pu;
  spec.margin = params.at("margin");
  spec.beta = params.at("beta");
  spec.gamma = params.at("gamma");
  const auto logits = test.input_float("logits").clone().requires_grad_();
  // Column 0 of their labels is the none class.
  const Decision decision{.threshold_class = params.at("isrank").get<bool>()};
  const LossInput input{decision.log_odds(logits), test.input_float("labels").slice(1, 1), {}, {}};
  const auto risks = ssr_pu_risks(input, spec);
  const auto loss = ssr_pu(input, spec);
  loss.backward();
  test.expect("loss", loss);
  test.expect("grad_logits", logits.grad());
  test.expect("risk_per_relation", risks, 1e-4);  // differences of float32 prefix sums: see the note
}

}  // namespace mlpac::golden
