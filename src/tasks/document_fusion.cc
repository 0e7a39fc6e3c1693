#include "tasks/document_fusion.h"

namespace mlpac {

namespace {

constexpr std::int64_t kCandidates = 4;  // classes of a pair that are looked at

using Scores = std::vector<std::pair<TripleKey, double>>;

std::vector<DocumentPrediction> candidates_of(Network& network, std::span<const Document> documents,
                                              const FusionContext& context) {
  const DocumentRows rows(encode_documents(documents, context.tokeniser), pair_lists(documents), context.window);
  auto prediction = context.prediction;
  prediction.candidates = kCandidates;
  return predict_documents(network, rows, documents, prediction, context.sweep);
}

}  // namespace

FusionResult fuse(Network& network, std::span<const Document> documents, const FusionContext& context) {
  FusionResult result;
  Scores whole;
  Scores part;
  std::vector<Document> pseudo;
  std::vector<std::pair<std::size_t, std::vector<std::int32_t>>> origins;  // document, and numbers of the entities
  const auto predictions = candidates_of(network, documents, context);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const ScoredTriple& triple : predictions[i].candidates) {
      const TripleKey key{i, triple.head, triple.tail, triple.relation};
      whole.emplace_back(key, triple.score);
      result.evidence[key] = triple.evidence;
    }
    for (auto& made : pseudo_documents(documents[i], predictions[i].candidates)) {
      pseudo.push_back(std::move(made.document));
      origins.emplace_back(i, std::move(made.entities));
    }
  }
  const auto again = candidates_of(network, pseudo, context);
  for (std::size_t i = 0; i < pseudo.size(); ++i) {
    const auto& [document, entities] = origins[i];
    for (const ScoredTriple& triple : again[i].candidates) {
      const TripleKey key{document, entities.at(static_cast<std::size_t>(triple.head)),
                          entities.at(static_cast<std::size_t>(triple.tail)), triple.relation};
      part.emplace_back(key, triple.score);
    }
  }
  result.candidates = merge_candidates(whole, part);
  return result;
}

std::vector<PredictedTriple> fused_predictions(const FusionResult& result, double threshold,
                                               std::span<const Document> documents) {
  std::vector<PredictedTriple> triples;
  for (const TripleKey& key : fused_triples(result.candidates, threshold)) {
    const auto& [document, head, tail, relation] = key;
    const auto evidence = result.evidence.find(key);
    triples.push_back({documents[document].title, head, tail, relation,
                       evidence == result.evidence.end() ? std::vector<std::int32_t>() : evidence->second});
  }
  return triples;
}

double choose_threshold(const FusionResult& result, std::span<const Document> annotated) {
  std::vector<TripleKey> gold;
  for (std::size_t i = 0; i < annotated.size(); ++i) {
    for (const Triple& triple : annotated[i].triples) gold.emplace_back(i, triple.head, triple.tail, triple.relation);
  }
  return fusion_threshold(result.candidates, gold);
}

}  // namespace mlpac
