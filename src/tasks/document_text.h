// A document for people: its sentences, its entities, and which triples were predicted, annotated and are true.
#pragma once

#include <map>
#include <span>
#include <string>

#include "mlpac/relation_metrics.h"

namespace mlpac {

/// `document` has the true triples, `annotated` those that training would have seen; `meanings` of relations by name,
/// as far as they are known.
std::string explain_document(const Document& document, const Document& annotated,
                             std::span<const PredictedTriple> predicted, const Relations& relations,
                             const std::map<std::string, std::string>& meanings);

}  // namespace mlpac
