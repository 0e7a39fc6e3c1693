// Traces of annotation that is not random. Selection and the estimate of the score rest on the assumption that the
// annotated positives are a random part of all positives; what can be seen to contradict it is said before training.
#pragma once

#include <string>
#include <vector>

#include "mlpac/labels.h"

namespace mlpac {

/// One sentence for each visible pattern: what is seen, why it matters, what to do. Empty if nothing is suspicious;
/// chance alone makes sentences practically never, except that a rare label may truly have lost all its positives.
/// `names` has one name per class; `complete_test` (may be null) has the same classes and is completely labelled.
std::vector<std::string> annotation_warnings(const Labels& annotated, const std::vector<std::string>& names,
                                             const Labels* complete_test);

}  // namespace mlpac
