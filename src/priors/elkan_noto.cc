// Elkan & Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008. With g(x) = P(annotated | x),
// their estimator e1 of the label frequency is the mean of g over annotated rows that g was not fitted on.
#include <cmath>

#include "priors/priors.h"

namespace mlpac {

double elkan_noto(const PriorEvidence& evidence) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < evidence.annotated.size(); ++i) {
    if (evidence.annotated[i] == 0) continue;
    sum += 1 / (1 + std::exp(-static_cast<double>(evidence.scores[i])));
    count += 1;
  }
  return evidence.share() * count / sum;
}

}  // namespace mlpac
