// Real documents and tiny models that several families of cases share.
#pragma once

#include <memory>

#include "golden_case.h"
#include "mlpac/documents.h"
#include "nn/dreeam.h"

namespace mlpac::golden {

const Relations& document_relations();
const std::vector<Document>& dev_documents();

/// A network of this architecture with the tiny encoder of the reference data, its weights by the rule and tables of
/// the cases; evaluation mode.
std::unique_ptr<Dreeam> tiny_dreeam(const GoldenCase& test, nlohmann::json architecture, bool roberta,
                                    const std::vector<std::string>& tables, std::uint64_t seed);

}  // namespace mlpac::golden
