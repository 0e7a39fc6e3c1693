// Shift and squared ranking PU (Wang et al., EMNLP 2022): a PU risk for each class with a squared loss, corrected for
// the annotated positives that are missing among the unlabelled ones, and with rare classes weighted up. With a
// threshold class the log-odds are differences to its logit, and the loss ranks classes against it.
#pragma once

#include "losses/pu_risk.h"

namespace mlpac {

enum class SsrRisk {
  pn,    ///< unlabelled = negative
  pu,    ///< unlabelled rows are a sample of all rows
  s_pu,  ///< they are what annotation has left
};

struct SsrPuSpec {
  at::Tensor prior;      ///< of positives among all entries of a class, [classes]
  at::Tensor annotated;  ///< share of them that is annotated, [classes]
  SsrRisk risk = SsrRisk::s_pu;
  double margin = 0.25;
  double beta = 0;  ///< a negative risk below it is corrected
  double gamma = 1;
};
/// [classes]
at::Tensor ssr_pu_risks(const LossInput& input, const SsrPuSpec& spec);
/// Their sum.
at::Tensor ssr_pu(const LossInput& input, const SsrPuSpec& spec);
Loss create_ssr_pu(const LossContext& context);

}  // namespace mlpac
