// Inference-stage fusion (DREEAM, Ma et al., EACL 2023): what a model says of a document, and of its sentences of
// evidence alone, put together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "mlpac/documents.h"

namespace mlpac {

/// A class of a pair that scores high, accepted or not.
struct ScoredTriple {
  std::int32_t head = 0;
  std::int32_t tail = 0;
  std::int32_t relation = 0;  ///< 0: none
  double score = 0;           ///< how far it is above the threshold class
  std::vector<std::int32_t> evidence;
};

/// A document that consists of some sentences of another one and of the entities that are mentioned there.
struct PseudoDocument {
  Document document;                    ///< without triples
  std::vector<std::int32_t> entities;   ///< their numbers in the whole document
  std::vector<std::int32_t> sentences;  ///< the same
};

/// One for each set of sentences that candidates name as evidence, with the first sentence of a head or tail that is
/// not mentioned in any of them. Candidates without evidence have none.
std::vector<PseudoDocument> pseudo_documents(const Document& document, std::span<const ScoredTriple> candidates);

/// Document, head, tail and relation.
using TripleKey = std::tuple<std::size_t, std::int32_t, std::int32_t, std::int32_t>;

/// Candidates of documents and of their pseudo documents, by the numbers of the whole documents.
struct MergedCandidates {
  std::vector<TripleKey> sure;                         ///< above the threshold class in both
  std::vector<std::pair<TripleKey, double>> doubtful;  ///< best first: sum of both scores, or the only one less 10
};
/// Of equal triples the best score counts; relation 0 is passed over.
MergedCandidates merge_candidates(std::span<const std::pair<TripleKey, double>> documents,
                                  std::span<const std::pair<TripleKey, double>> pseudo);

/// The score from which on doubtful candidates are accepted for the largest F1 against `gold`; infinite if the sure
/// ones alone are best.
double fusion_threshold(const MergedCandidates& candidates, std::span<const TripleKey> gold);

/// The sure ones, and the doubtful ones from the threshold on, in order.
std::vector<TripleKey> fused_triples(const MergedCandidates& candidates, double threshold);

}  // namespace mlpac
