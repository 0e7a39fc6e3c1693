// Fusion with a network: documents, their evidence sentences alone, and both merged.
#pragma once

#include "mlpac/relation_fusion.h"
#include "tasks/document_predictions.h"

namespace mlpac {

/// What fusion needs beside the network.
struct FusionContext {
  const Tokeniser& tokeniser;
  WindowTokens window;
  PredictionSpec prediction;
  SweepSpec sweep;
};

/// The candidates of documents and of their pseudo documents, merged, and the evidence of the former.
struct FusionResult {
  MergedCandidates candidates;
  std::map<TripleKey, std::vector<std::int32_t>> evidence;
};
FusionResult fuse(Network& network, std::span<const Document> documents, const FusionContext& context);

/// The triples from a score on.
std::vector<PredictedTriple> fused_predictions(const FusionResult& result, double threshold,
                                               std::span<const Document> documents);

/// The score from which on triples are accepted, chosen on annotated documents.
double choose_threshold(const FusionResult& result, std::span<const Document> annotated);

}  // namespace mlpac
