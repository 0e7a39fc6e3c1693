// Class-aware selective loss (Ben-Baruch et al., CVPR 2022): P-ASL without the unknown entries that are probably
// positive, judged by the class and by the network itself.
#pragma once

#include "distributed/group.h"
#include "losses/p_asl.h"

namespace mlpac {

struct CslSpec {
  PAslSpec asl;
  double top = 5;                ///< unknown entries per row, over the whole batch, that are left out: the likeliest
  double prior_threshold = 0.5;  ///< unknown entries of classes with a larger prior are left out
  at::Tensor prior{};            ///< of each class; undefined: no such rule
};
at::Tensor csl(const LossInput& input, const CslSpec& spec);
CslSpec csl_spec(const LossContext& context);
Loss create_csl(const LossContext& context);

/// True for entries that count [rows x classes].
at::Tensor selected(const LossInput& input, const CslSpec& spec);

/// Mean predicted probability of each class over everything seen.
class RunningPrior {
 public:
  explicit RunningPrior(std::int64_t classes);
  /// Adds rows [rows x classes] of probabilities.
  void add(const at::Tensor& probabilities);
  /// Adds the rows of other processes.
  void combine(const Group& group);
  at::Tensor mean() const;

 private:
  at::Tensor sum_;
  std::int64_t rows_ = 0;
};

}  // namespace mlpac
