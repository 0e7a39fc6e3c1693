// From the logits of pairs to triples with their evidence, and what the official evaluation says of them.
#pragma once

#include <vector>

#include "mlpac/relation_fusion.h"
#include "mlpac/relation_metrics.h"
#include "tasks/document_rows.h"
#include "train/sweep.h"

namespace mlpac {

/// A sentence is evidence if more than this share of a pair's attention lies on it.
inline constexpr double kEvidenceShare = 0.2;

/// What a network says of each document, in the order of the data set.
struct DocumentPrediction {
  std::vector<PredictedTriple> triples;
  std::vector<ScoredTriple> candidates;  ///< the best classes of every pair, if asked for
};

struct PredictionSpec {
  Decision decision;
  at::Tensor shift;             ///< subtracted from the log-odds; undefined: nothing
  std::int64_t candidates = 0;  ///< classes of a pair that are listed, accepted or not
};
std::vector<DocumentPrediction> predict_documents(Network& network, const DocumentRows& data,
                                                  std::span<const Document> documents, const PredictionSpec& prediction,
                                                  const SweepSpec& spec);

/// The triples of all documents.
std::vector<PredictedTriple> all_triples(std::span<const DocumentPrediction> predictions);

/// Precision, recall and F1, the same without facts of the training documents, of evidence, of groups and of relations.
nlohmann::json to_json(const RelationMetrics& metrics, const Relations& relations);

}  // namespace mlpac
